import { subjectOf } from '../../events/envelope.ts';
import { CliffordError } from '../../errors.ts';
import type { Project } from '../project.ts';
import { runCommand } from './run-command.ts';
import type { CommandEnd } from './run-command.ts';

/** Most of a command's output that is recorded and told, in UTF-16 units: its end. */
const OUTPUT_LENGTH = 8_000;

/** Longest time one command may take, in ms. */
const LIMIT_MS = 10 * 60_000;

/** What is to be verified, by whom. */
export type Verification = {
  readonly stream: string;
  readonly taskId: string;
  readonly runId?: string | undefined;
  /** Command lines, run one after the other in the project's root. */
  readonly commands: readonly string[];
  readonly signal: AbortSignal;
  /** ms per command. Default: 10 min. */
  readonly limitMs?: number | undefined;
};

/**
 * Runs the commands that have to succeed before a task counts as completed, and records each.
 *
 * @throws {CliffordError} `VERIFY_FAILED` for the first that fails, with the end of its output.
 * @throws the signal's reason when it aborts. Nothing of the command is left.
 */
export async function verifyTask(
  project: Project,
  { stream, taskId, runId, commands, signal, limitMs = LIMIT_MS }: Verification,
): Promise<void> {
  for (const command of commands) {
    signal.throwIfAborted();
    const ended = await runCommand(command, { cwd: project.root, signal, limitMs });
    signal.throwIfAborted();
    const { code, durationMs } = ended;
    // Secrets are replaced before the cut: half of one would not be known as one.
    const output = project.asLogged(ended.output).slice(-OUTPUT_LENGTH);
    const data = { command, code, durationMs, output, ...(runId === undefined ? {} : { runId }) };
    await project.record(stream, [{ type: 'verify.returned', subject: subjectOf(stream, taskId), data }]);
    if (code !== 0) throw failed(taskId, command, { ...ended, output });
  }
}

function failed(taskId: string, command: string, { how, output }: CommandEnd): CliffordError {
  const printed = output === '' ? 'It printed nothing' : `The end of its output:\n${output}`;
  return new CliffordError(`Cannot complete task ${taskId}: \`${command}\` ${how}`, {
    code: 'VERIFY_FAILED',
    fix: `Mend it and call update_task_status again. ${printed}`,
    recovery: 'give-up',
  });
}
