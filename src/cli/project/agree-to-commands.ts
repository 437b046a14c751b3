import { CliffordError } from '../../errors.ts';
import { systemCodeOf } from '../../lib/system-error.ts';
import type { ConfigReading } from '../../workflow/config/load-config.ts';
import { namedCommands } from '../../workflow/config/named-commands.ts';
import { rememberCommands, unseenCommands } from '../../workflow/config/seen-commands.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { SprintFolder } from '../../workflow/sprint/sprint-folders.ts';
import type { Cli } from '../cli.ts';
import { agentRun, requireHuman } from '../../workflow/project/require-human.ts';
import { oneLine } from '../../lib/text/visible.ts';
import { canAsk, yesOrNo } from '../input/yes-or-no.ts';

/** What is about to be run, and whether its commands are accepted unseen. */
export type CommandsAtHand = {
  readonly reading: ConfigReading;
  readonly folder: SprintFolder;
  readonly accepts: boolean;
};

/**
 * Has a person look at commands that the files name since the last run of the project: an agent may have written them,
 * and a run starts them outside of that agent's sandbox. The first run of a project takes them as they are.
 *
 * @throws {CliffordError} `COMMANDS_NEW` when nobody agrees; `NOT_A_HUMAN` when an agent is asked.
 */
export async function agreeToCommands(
  cli: Cli,
  { root, asLogged }: Pick<Project, 'root' | 'asLogged'>,
  { reading, folder, accepts }: CommandsAtHand,
): Promise<void> {
  const commands = namedCommands(reading, folder);
  const unseen = await unseenCommands(cli.env, root, commands);
  const isNew = unseen !== undefined && unseen.length > 0;
  const isAgent = agentRun(cli) !== undefined;
  if (isNew && (isAgent || cli.env['CLIFFORD_TRUST_PROJECT'] !== '1')) {
    const lines = unseen.map((command) => oneLine(asLogged(command)));
    requireHuman(cli, `run commands that are new here (${lines.join('; ')})`);
    if (!accepts) await agree(cli, folder.manifest.id, lines);
  }
  // What an agent runs in its own shell is no person's choice.
  if (!isAgent && (isNew || unseen === undefined)) await remember(cli, root, commands);
}

/** A run does not fail for it: the next one asks again. */
async function remember(cli: Cli, root: string, commands: readonly string[]): Promise<void> {
  try {
    await rememberCommands(cli.env, root, commands);
  } catch (error) {
    const why = error instanceof CliffordError ? error.message : `the system says ${systemCodeOf(error)}`;
    cli.warn(oneLine(`note: what this project runs is not remembered: ${why}`));
  }
}

/** @throws {CliffordError} `COMMANDS_NEW` unless somebody says yes. */
async function agree(cli: Cli, sprint: string, lines: readonly string[]): Promise<void> {
  if (!canAsk(cli)) throw notAgreed(sprint, lines);
  cli.print('New since the last run of this project, and run with your rights:');
  for (const line of lines) cli.print(`  ${line}`);
  if ((await yesOrNo(cli, 'Run this?')) !== 'yes') throw turnedDown(sprint);
}

function turnedDown(sprint: string): CliffordError {
  return new CliffordError(`Cannot run sprint ${sprint}: what is new in it was turned down`, {
    code: 'COMMANDS_NEW',
    fix: 'Change it in clifford.json or in the manifest, then run it again',
    recovery: 'fix-input',
  });
}

function notAgreed(sprint: string, lines: readonly string[]): CliffordError {
  return new CliffordError(
    `Cannot run sprint ${sprint}: it would run what no run of this project had, and nobody has agreed to that: ${lines.join('; ')}`,
    {
      code: 'COMMANDS_NEW',
      fix: 'Look at clifford.json and the manifest, then run it at a terminal or with --accept-commands',
      recovery: 'fix-input',
    },
  );
}
