import { subjectOf } from '../../events/envelope.ts';
import type { Verdict } from '../../events/verdict.ts';
import { CliffordError } from '../../errors.ts';
import type { Project } from '../project/project.ts';
import { runVerifyCommand } from './run-verify-command.ts';
import type { CommandEnd, CommandPlace } from './run-command.ts';
import { verifyVerdictOf } from './verdict.ts';

/** What is to be verified, by whom. */
export type Verification = Pick<CommandPlace, 'signal' | 'env'> & {
  readonly stream: string;
  readonly taskId: string;
  readonly runId?: string | undefined;
  /** Command lines, run one after the other in the project's root. */
  readonly commands: readonly string[];
  /** The task is there to make them succeed: that they failed before is no excuse. */
  readonly areOwn: boolean;
};

/** A command that failed and was accepted: it failed before the work, too. */
export type Excused = { readonly command: string; readonly how: string };

/**
 * Runs the commands that have to succeed before a task counts as completed, and records each, with what
 * its end says about the work where it was run before that, too. One that failed before the work began, and
 * is not the task's own, is excused.
 *
 * @throws {CliffordError} `VERIFY_FAILED` for the first that fails, with the end of its output.
 * @throws the signal's reason when it aborts. Nothing of the command is left.
 */
export async function verifyTask(
  project: Project,
  { stream, taskId, runId, commands, areOwn, signal, env }: Verification,
): Promise<readonly Excused[]> {
  const excused: Excused[] = [];
  const { streams } = await project.refresh();
  const baseline = streams.get(stream)?.tasks.get(taskId)?.baseline ?? [];
  for (const command of commands) {
    const { ended, data } = await runVerifyCommand(project, command, { signal, env });
    const verdict = verifyVerdictOf(baseline, data);
    await project.record(stream, [
      {
        type: 'verify.returned',
        subject: subjectOf(stream, taskId),
        data: { ...data, runId, verdict },
      },
    ]);
    if (data.code === 0) continue;
    if (verdict !== 'broken-before' || areOwn) throw failed(taskId, command, verdict, ended);
    excused.push({ command, how: ended.how });
  }
  return excused;
}

/** Whose failure it is, in words. */
function attribution(verdict: Verdict | undefined): string {
  if (verdict === 'regressed') return '; it succeeded before this task';
  if (verdict === 'broken-before') return '; it failed before this task, too, and has to succeed';
  return '';
}

function failed(
  taskId: string,
  command: string,
  verdict: Verdict | undefined,
  { how, output }: CommandEnd,
): CliffordError {
  const printed = output === '' ? 'It printed nothing' : `The end of its output:\n${output}`;
  return new CliffordError(`Cannot complete task ${taskId}: \`${command}\` ${how}${attribution(verdict)}`, {
    code: 'VERIFY_FAILED',
    fix: `Fix it and complete the task again. ${printed}`,
    recovery: 'give-up',
  });
}
