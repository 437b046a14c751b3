import { subjectOf } from '../../events/envelope.ts';
import type { Candidate } from '../../machines/legality.ts';
import type { Project } from '../project/project.ts';
import type { CommandPlace } from './run-command.ts';
import { runVerifyCommand } from './run-verify-command.ts';

/** Which commands are to be run before the work on a task begins. */
export type BaselineOrder = Pick<CommandPlace, 'signal' | 'env'> & {
  readonly stream: string;
  readonly taskId: string;
  readonly commands: readonly string[];
  /** Called with each end, to be recorded. */
  readonly onFact: (fact: Candidate) => void;
};

/**
 * Runs every command that will verify a task, before the work on it begins: what fails now is no fault of
 * the work. One that fails does not keep the next from being run. Aborts as {@link runVerifyCommand} does.
 */
export async function takeBaseline(
  project: Pick<Project, 'root' | 'asLogged'>,
  { stream, taskId, commands, onFact, ...place }: BaselineOrder,
): Promise<void> {
  for (const command of new Set(commands)) {
    const { data } = await runVerifyCommand(project, command, place);
    onFact({
      type: 'verify.returned',
      subject: subjectOf(stream, taskId),
      data: { ...data, baseline: true },
    });
  }
}
