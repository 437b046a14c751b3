import { CliffordError, type CliffordErrorOptions } from '../../errors.ts';

/** Mistakes that can be told of all at once, each as a line that names its place. */
export class MistakesError extends CliffordError {
  override readonly name = 'MistakesError';
  /** At least one. */
  readonly mistakes: readonly string[];

  constructor(mistakes: readonly string[], options: CliffordErrorOptions) {
    super(mistakes.join('; '), options);
    this.mistakes = mistakes;
  }
}
