import { CliffordError } from '../../errors.ts';
import { systemCodeOf } from '../../lib/system-error.ts';
import { oneLine } from '../../lib/text/visible.ts';
import type { Project } from '../project/project.ts';
import { agentRun, requireHuman } from '../project/require-human.ts';
import type { SprintFolder } from '../sprint/sprint-folders.ts';
import type { ConfigReading } from './load-config.ts';
import { namedCommands } from './named-commands.ts';
import { rememberCommands, unseenCommands } from './seen-commands.ts';

/** What is about to be run, and whether its commands are accepted unseen. */
export type CommandsAtHand = {
  readonly reading: ConfigReading;
  readonly folder: SprintFolder;
  readonly accepts: boolean;
};

/** Where it is run, and how somebody there is asked. */
export type Agreeing = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Shows the commands, one line each. @throws when nobody agrees to them. */
  readonly ask: (lines: readonly string[]) => Promise<void>;
  readonly warn: (problem: string) => void;
};

/**
 * Has a person look at commands that the files name since the last run of the project: an agent may have written them,
 * and a run starts them outside of that agent's sandbox. The first run of a project takes them as they are.
 *
 * @throws {CliffordError} `NOT_A_HUMAN` when an agent is asked; what `ask` throws.
 */
export async function agreeToCommands(
  { root, asLogged }: Pick<Project, 'root' | 'asLogged'>,
  { reading, folder, accepts }: CommandsAtHand,
  { env, ask, warn }: Agreeing,
): Promise<void> {
  const commands = namedCommands(reading, folder);
  const unseen = await unseenCommands(env, root, commands);
  const isNew = unseen !== undefined && unseen.length > 0;
  const isAgent = agentRun({ env }) !== undefined;
  if (isNew && (isAgent || env['CLIFFORD_TRUST_PROJECT'] !== '1')) {
    const lines = unseen.map((command) => oneLine(asLogged(command)));
    requireHuman({ env }, `run commands that are new here (${lines.join('; ')})`);
    if (!accepts) await ask(lines);
  }
  // What an agent runs in its own shell is no person's choice.
  if (isAgent || !(isNew || unseen === undefined)) return;
  try {
    await rememberCommands(env, root, commands);
  } catch (error) {
    // A run does not fail for it: the next one asks again.
    const why = error instanceof CliffordError ? error.message : `the system says ${systemCodeOf(error)}`;
    warn(`what this project runs is not remembered: ${why}`);
  }
}

/** The error where nobody can be asked; `how`: what says that they are to be run. */
export function notAgreed(sprint: string, lines: readonly string[], how: string): CliffordError {
  return new CliffordError(
    `Cannot run sprint ${sprint}: it would run what no run of this project had, and nobody has agreed to that: ${lines.join('; ')}`,
    {
      code: 'COMMANDS_NEW',
      fix: `Look at clifford.json and the manifest, then run it at a terminal or with ${how}`,
      recovery: 'fix-input',
    },
  );
}
