import { openChannels } from '../../notify/channels.ts';
import { namedProject } from '../../notify/named-project.ts';
import { Notifier } from '../../notify/notifier.ts';
import { Presence } from '../../workflow/project/presence.ts';
import type { NotifyTerminal } from '../../notify/terminal/notify-terminal.ts';
import { isCi } from '../input/is-interactive.ts';
import { readConfig } from '../../workflow/config/load-config.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { Cli } from '../cli.ts';
import { restoreAtExit } from './restore-at-exit.ts';
import type { RunOrder } from './run-order.ts';

/** Which sprint a human is called about, and by whom. */
export type NotifyOrder = {
  readonly project: Project;
  readonly stream: string;
  /** What a person has agreed to run with it, in `run`: only then a program is run to call them. */
  readonly agreed?: RunOrder['configured'];
  /** When a key was pressed last in front of this screen, ms since the epoch. */
  readonly lastKeyAt?: () => number | undefined;
  /** Told of what does not work. Default: it is noted at the end, when no screen is drawn any more. */
  readonly report?: (problem: string) => void;
};

/** What the work tells those who call about it. */
type Calling = {
  readonly hush: () => void;
  readonly onAway: (isAway: boolean) => void;
};

/**
 * Calls the human about a sprint while `work` is under way, and gives the terminal back as it was. `work` is handed what
 * ends the calls, for when a human has just stopped it, and what says that the terminal is given away, or back.
 */
export async function callingHuman<T>(
  cli: Cli,
  { project, stream, agreed, lastKeyAt, report }: NotifyOrder,
  work: (calling: Calling) => Promise<T>,
): Promise<T> {
  const { root } = project;
  const { config } =
    agreed?.reading ?? (await readConfig({ root, env: cli.env, configMemory: cli.configMemory }));
  const place = { terminal: terminalOf(cli), env: cli.env, root };
  const reaches = agreed ? (['here', 'anywhere'] as const) : (['here'] as const);
  const channels = openChannels(config.notify, place, reaches);
  const problems: string[] = [];
  const { name, isOneOfSeveral } = await namedProject(cli.env, root);
  const notifier = new Notifier({
    project,
    stream,
    name: isOneOfSeveral ? name : undefined,
    config: config.notify,
    channels,
    lastKeyAt,
    report: report ?? ((problem) => void problems.push(problem)),
  });
  const stopRestoring = restoreAtExit(() => notifier.restore());
  try {
    return await work({
      onAway: (isAway) => notifier.giveAway(isAway),
      hush: () => {
        notifier.hush();
        // Whoever else calls knows by that, in whatever process.
        new Presence(project.dir).mark();
      },
    });
  } finally {
    await notifier.close();
    stopRestoring();
    problems.forEach(cli.note);
  }
}

/** The terminal of a command, where it is one that a person looks at and that knows escape sequences. */
export function terminalOf(cli: Pick<Cli, 'env' | 'stdout' | 'hasLostReader'>): NotifyTerminal | undefined {
  const { env, stdout } = cli;
  if (stdout.isTTY !== true || isCi(env) || env['TERM'] === 'dumb') return undefined;
  // Ink writes its frames whole, within one turn: nothing of ours comes into the middle of one.
  const write = (sequence: string) => {
    if (!cli.hasLostReader()) stdout.write(sequence);
  };
  return { write, env };
}

/** Remembers when a key was pressed, and lets others know who call about the project. `dir`: its `.clifford`. */
export function watchKeys(dir: string): {
  readonly onKey: () => void;
  readonly lastKeyAt: () => number | undefined;
} {
  const presence = new Presence(dir);
  let at: number | undefined;
  const onKey = () => {
    at = Date.now();
    presence.mark();
  };
  return { onKey, lastKeyAt: () => at };
}
