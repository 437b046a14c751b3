import { CliffordError, type CliffordErrorOptions } from '../../errors.ts';

/** What was made of these tasks of a sprint is not on this machine. */
export class WorkMissingError extends CliffordError {
  override readonly name = 'WorkMissingError';
  readonly tasks: readonly string[];

  constructor(
    message: string,
    { tasks, ...options }: CliffordErrorOptions & { readonly tasks: readonly string[] },
  ) {
    super(message, options);
    this.tasks = tasks;
  }
}
