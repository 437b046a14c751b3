import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Off, OpenChannel } from '../../notify/channel.ts';
import { channels } from '../../notify/channels.ts';
import type { Notice } from '../../notify/notice.ts';
import { quietLeftMs } from '../../notify/quiet-hours.ts';
import { showHidden } from '../../lib/text/hidden-characters.ts';
import type { ConfigReading } from '../../workflow/config/load-config.ts';
import { namedNotifyCommand } from '../../workflow/config/named-commands.ts';
import { unseenCommands } from '../../workflow/config/seen-commands.ts';
import type { Project } from '../../workflow/project/project.ts';
import { isHuman } from '../../workflow/project/require-human.ts';
import type { Cli } from '../cli.ts';
import { exitCodes } from '../exit-codes.ts';
import { requireConfig } from '../input/require-config.ts';
import { canAsk, yesOrNo } from '../input/yes-or-no.ts';
import { withProject } from '../project/with-project.ts';
import { terminalOf } from '../run/notify-human.ts';
import { restoreAtExit } from '../run/restore-at-exit.ts';
import { columns } from '../text/columns.ts';

/** What became of one way to a human. */
type Tried = {
  readonly channel: string;
  readonly outcome: 'sent' | 'off' | 'failed';
  readonly said: string;
};

/** How long a title and a progress are to be seen, in ms. */
const SHOWN_MS = 2_000;

const notice: Notice = {
  kind: 'test',
  title: 'Clifford · test: this is how you are called',
  text: 'Nothing waits for you',
  sprint: 'test',
  open: 0,
};

/** `clifford notify`: how a human is called, to be tried. */
export function addNotify(program: Command, cli: Cli): void {
  const notify = program.command('notify').summary('test how you are notified when a sprint needs you');
  notify
    .command('test')
    .summary('call you now, in every way')
    .description(
      'Calls you through every channel of "notify" in the configuration, and says what was sent by which.',
    )
    .option('--json', 'for programs: a list of { channel, outcome, said }')
    .addHelpText('after', '\nQuiet hours do not count here.\n\nExample:\n  clifford notify test')
    .action(({ json }: { json?: true }) => withProject(cli, (project) => test(cli, project, json ?? false)));
}

async function test(cli: Cli, project: Project, isJson: boolean): Promise<void> {
  const { root } = project;
  const reading = await requireConfig(cli, root, (key) => key === 'notify');
  const { config } = reading;
  const refusal = await whyNotRun(cli, project, reading);
  const place = { terminal: terminalOf(cli), env: cli.env, root };
  const opened = channels.map(({ name, reach, open }) => ({
    name,
    way: reach === 'anywhere' && refusal !== undefined ? { off: refusal } : open(config.notify, place),
  }));
  const close = () => {
    for (const { way } of opened) if ('close' in way) way.close?.();
  };
  const stopRestoring = restoreAtExit(close);
  const tried: Tried[] = [];
  for (const { name, way } of opened) tried.push({ channel: name, ...(await tryWay(way)) });
  // Long enough to be seen.
  if (opened.some(({ way }) => 'show' in way)) await pause(SHOWN_MS);
  close();
  stopRestoring();
  if (tried.some(({ outcome }) => outcome === 'failed')) cli.endWith(exitCodes.failed);
  if (isJson) return cli.printJson(tried);
  cli.printLines(columns(tried.map(({ channel, said }) => [channel, showHidden(said)])));
  if (quietLeftMs(config.notify.quietHours, Date.now()) > 0)
    cli.note(`these are quiet hours (${config.notify.quietHours}): a run calls nobody now`);
}

async function tryWay(way: OpenChannel | Off): Promise<Omit<Tried, 'channel'>> {
  if ('off' in way) return { outcome: 'off', said: way.off };
  const told = await way.call?.(notice, new AbortController().signal);
  if (told && 'problem' in told) return { outcome: 'failed', said: told.problem };
  const shown = way.show?.({ name: 'test', open: 1, done: 1, total: 2, end: undefined, stall: undefined });
  return { outcome: 'sent', said: told?.done ?? `${shown}, for ${SHOWN_MS / 1_000} s` };
}

/** Why the program of the configuration is not run: nobody has agreed to it, in a run before or now. `undefined`: it is. */
async function whyNotRun(cli: Cli, project: Project, reading: ConfigReading): Promise<string | undefined> {
  const line = namedNotifyCommand(reading);
  if (line === undefined) return undefined;
  if (!isHuman(cli, project)) return 'not run: an agent may be asking for it';
  const unseen = await unseenCommands(cli.env, project.root, [line]);
  if (unseen?.length === 0) return undefined;
  const isNew = 'it is new since the last run';
  if (!canAsk(cli)) return `not run: ${isNew}. Try it at a terminal`;
  cli.print(`Not run here before, and run with your rights:\n  ${showHidden(project.asLogged(line))}`);
  return (await yesOrNo(cli, 'Run this?')) === 'yes' ? undefined : 'not run: you said no';
}
