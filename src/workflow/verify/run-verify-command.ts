import type { EventData } from '../../events/catalog.ts';
import type { Project } from '../project/project.ts';
import { runCommand, type CommandEnd, type CommandPlace } from './run-command.ts';

/** Most of a command's output that is recorded and told, in UTF-16 units: its end. */
const OUTPUT_LENGTH = 8_000;

/**
 * Longest time one command may take, in ms.
 *
 * @internal for tests
 */
export const VERIFY_LIMIT_MS = 10 * 60_000;

/** How a command ended, with the output as the log keeps it, and what is recorded of it. */
type Verified = {
  readonly ended: CommandEnd;
  readonly data: Pick<EventData<'verify.returned'>, 'command' | 'code' | 'durationMs' | 'output'>;
};

/**
 * Runs one of the commands that verify a task, in the project's root.
 *
 * @throws the signal's reason when it aborts. Nothing of the command is left.
 */
export async function runVerifyCommand(
  { root, asLogged }: Pick<Project, 'root' | 'asLogged'>,
  command: string,
  { signal, env }: Pick<CommandPlace, 'signal' | 'env'>,
): Promise<Verified> {
  signal.throwIfAborted();
  const ended = await runCommand(command, { cwd: root, signal, env, limitMs: VERIFY_LIMIT_MS });
  signal.throwIfAborted();
  const { code, durationMs } = ended;
  // Secrets are replaced before the cut: half of one would not be known as one.
  const output = asLogged(ended.output).slice(-OUTPUT_LENGTH);
  // Without a code nothing else in the log would say what happened.
  const logged = code === null ? `${output}\n${ended.how}`.trim() : output;
  return { ended: { ...ended, output }, data: { command, code, durationMs, output: logged } };
}
