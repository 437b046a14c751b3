import { CliffordError } from '../../errors.ts';
import { systemCodeOf } from '../../lib/system-error.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import type { Project } from '../project/project.ts';
import { agentRun, requireHuman } from '../project/require-human.ts';
import type { SprintFolder } from '../sprint/sprint-folders.ts';
import type { ConfigReading } from './load-config.ts';
import { type ChosenAgent, namedCommands } from './named-commands.ts';
import { rememberCommands, unseenCommands } from './seen-commands.ts';

/** What is about to be run, and whether its commands are accepted unseen. */
export type CommandsAtHand = {
  readonly reading: ConfigReading;
  readonly folder: SprintFolder;
  readonly accepts: boolean;
  /** Only what is started with that agent is asked about. */
  readonly chosen: ChosenAgent;
  /** Agents have worked on these files before they came here: nothing in them is taken unseen. */
  readonly isByAgents?: boolean;
};

/** Where it is run, and how somebody there is asked. */
export type Agreeing = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Shows the commands, one line each. @throws when nobody agrees to them. */
  readonly ask: (lines: readonly string[]) => Promise<void>;
  /** Shows what is taken without a question, on one line. */
  readonly show: (text: string) => void;
  readonly warn: (problem: string) => void;
};

/** Remembers what was agreed to, as what the project ran last. */
export type RememberAgreed = () => Promise<void>;

/**
 * Has a person look at commands that the files name since the last run of the project: an agent may have written them,
 * and a run starts them outside of that agent's sandbox. The first run of a project takes them as they are, unless agents have
 * worked on them elsewhere. What is taken without a question is shown: the files may have said something else when somebody
 * looked at them.
 *
 * @returns what remembers them, for when the run begins: one that is refused was no run.
 * @throws {CliffordError} `NOT_A_HUMAN` when an agent is asked; what `ask` throws.
 */
export async function agreeToCommands(
  project: Pick<Project, 'root' | 'asLogged' | 'dir' | 'state'>,
  { reading, folder, accepts, chosen, isByAgents = false }: CommandsAtHand,
  { env, ask, show, warn }: Agreeing,
): Promise<RememberAgreed> {
  const { root, asLogged } = project;
  const commands = namedCommands(reading, folder, chosen);
  const unseen =
    (await unseenCommands(env, root, commands)) ?? (isByAgents ? commands.filter(isProgram) : undefined);
  const isNew = unseen !== undefined && unseen.length > 0;
  const isAgent = agentRun({ env }, project) !== undefined;
  const lines = (unseen ?? commands).map((command) => visibleLine(asLogged(command)));
  const isTrusted = !isAgent && env['CLIFFORD_TRUST_PROJECT'] === '1';
  if (isNew && !isTrusted) {
    requireHuman({ env }, `run commands that are new here (${lines.join('; ')})`, project);
    if (!accepts) await ask(lines);
  }
  if (lines.length > 0 && (!isNew || accepts || isTrusted)) show(takenText(lines, isNew));
  // What an agent runs in its own shell is no person's choice.
  if (isAgent || !(isNew || unseen === undefined)) return async () => undefined;
  return () => rememberOrWarn(() => rememberCommands(env, root, commands), warn);
}

function takenText(lines: readonly string[], isNew: boolean): string {
  const which = isNew
    ? 'New since the last run of this project'
    : 'The first run of this project takes what its files have it run';
  return `${which}, with your rights: ${lines.join('; ')}`;
}

/** That work is committed starts no program that could have come with the files. */
function isProgram(line: string): boolean {
  return !line.startsWith('commit: ');
}

/** Nothing fails for what cannot be remembered: it is asked about again. */
export async function rememberOrWarn(remembers: () => Promise<void>, warn: Agreeing['warn']): Promise<void> {
  try {
    await remembers();
  } catch (error) {
    const why = error instanceof CliffordError ? error.message : `the system says ${systemCodeOf(error)}`;
    warn(`what this project runs is not remembered: ${why}`);
  }
}

/** The error where nobody can be asked; `fix`: how they are run all the same. */
export function notAgreed(sprint: string, lines: readonly string[], fix: string): CliffordError {
  return new CliffordError(
    `Cannot run sprint ${sprint}: clifford.json or its manifest names what is new since the last run, and nobody has agreed to run it: ${lines.join('; ')}`,
    { code: 'COMMANDS_NEW', fix },
  );
}
