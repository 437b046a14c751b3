import { openChannels } from '../../notify/channels.ts';
import { namedProject } from '../../notify/named-project.ts';
import { Notifier } from '../../notify/notifier.ts';
import { Presence } from '../../workflow/project/presence.ts';
import type { NotifyTerminal } from '../../notify/terminal/notify-terminal.ts';
import { isCi } from '../input/is-interactive.ts';
import { readConfig, type ConfigReading } from '../../workflow/config/load-config.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { Cli } from '../cli.ts';
import { restoreAtExit } from './restore-at-exit.ts';

/** Which sprint whoever sits at this terminal is called about. */
export type NotifyOrder = {
  readonly project: Project;
  readonly stream: string;
  /** Default: as the files are now. */
  readonly reading?: ConfigReading | undefined;
  /** When a key was pressed last in front of this screen, ms since the epoch. */
  readonly lastKeyAt?: () => number | undefined;
};

/** What the work tells those who call about it. */
type Calling = {
  readonly hush: () => void;
  readonly onAway: (isAway: boolean) => void;
};

/**
 * Calls whoever sits at this terminal about a sprint while `work` is under way, and gives the terminal back as it was. `work` is handed what
 * ends the calls, for when a human has just stopped it, and what says that the terminal is given away, or back.
 */
export async function callingHuman<T>(
  cli: Cli,
  { project, stream, reading, lastKeyAt }: NotifyOrder,
  work: (calling: Calling) => Promise<T>,
): Promise<T> {
  const { root } = project;
  const { config } = reading ?? (await readConfig({ root, env: cli.env, configMemory: cli.configMemory }));
  const { name, isOneOfSeveral } = await namedProject(cli.env, root);
  const notifier = new Notifier({
    project,
    stream,
    name: isOneOfSeveral ? name : undefined,
    config: config.notify,
    channels: openChannels(config.notify, terminalOf(cli)),
    lastKeyAt,
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
    notifier.close();
    stopRestoring();
  }
}

/** The terminal of a command, where it is one that a person looks at and that knows escape sequences. */
export function terminalOf(cli: Pick<Cli, 'env' | 'stdout' | 'lostReader'>): NotifyTerminal | undefined {
  const { env, stdout } = cli;
  if (stdout.isTTY !== true || isCi(env) || env['TERM'] === 'dumb') return undefined;
  // Ink writes its frames whole, within one turn: nothing of ours comes into the middle of one.
  const write = (sequence: string) => {
    if (!cli.lostReader.aborted) stdout.write(sequence);
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
