import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { CliffordError } from '../../errors.ts';
import type { Off, OpenChannel } from '../../notify/channel.ts';
import { channels } from '../../notify/channels.ts';
import type { Notice } from '../../notify/notice.ts';
import { quietLeftMs } from '../../notify/quiet-hours.ts';
import { showHidden } from '../../lib/text/hidden-characters.ts';
import type { ConfigReading } from '../../workflow/config/load-config.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { Cli } from '../cli.ts';
import { exitCodes } from '../exit-codes.ts';
import { requireConfig } from '../input/require-config.ts';
import { withProject } from '../project/with-project.ts';
import type { Tried } from '../notify/tried.ts';
import { terminalOf } from '../run/notify-human.ts';
import { restoreAtExit } from '../run/restore-at-exit.ts';
import { tryRemotes } from '../notify/try-remotes.ts';
import { trustNotify } from '../notify/trust-notify.ts';
import { columns } from '../text/columns.ts';

/** How long a title and a progress are to be seen, in ms. */
const SHOWN_MS = 2_000;

const notice: Notice = {
  kind: 'test',
  title: 'Clifford · test: this is how you are notified',
  text: 'Nothing waits for you',
  sprint: 'test',
};

/** `clifford notify`: how a human is called, to be tried. */
export function addNotify(program: Command, cli: Cli): void {
  const notify = program
    .command('notify')
    .summary('test how you are notified when a sprint needs you')
    .description(
      'A run notifies you when it needs you: by the bell, a desktop notification, the title of the terminal, and ' +
        'channels such as ntfy, e-mail, Telegram or a program of yours. What it uses is "notify" of the configuration. ' +
        'These commands try it out, and trust what would send something elsewhere, or run a program.',
    );
  notify
    .command('test')
    .summary('notify you now, in every way, or through one channel')
    .argument('[channel]', 'one way alone: its key in "notify", or its name in "notify.channels"')
    .description(
      'Notifies you through every channel of "notify" in the configuration, and says what was sent by which.',
    )
    .option('--json', 'for programs: a list of { channel, outcome, said }')
    .addHelpText(
      'after',
      '\nQuiet hours do not count here. Ends with 1 if one failed, one of notify.channels\nis off, or nothing was sent.\n\nExamples:\n  clifford notify test\n  clifford notify test phone',
    )
    .action((channel: string | undefined, { json }: { json?: true }) =>
      withProject(cli, (project) => test(cli, project, { channel, isJson: json ?? false })),
    );
  notify
    .command('trust')
    .summary('look at what the channels would do, and trust them')
    .description(
      'Shows the channels of "notify.channels" that need your trust: those that clifford.json has a part in, since it ' +
        'comes with a checkout, those that run a program, and those through which somebody may answer. Until then they are off.',
    )
    .option('--yes', 'trust them without being asked')
    .option('--json', 'for programs: { channels: [ { name, trust, lines } ] }')
    .addHelpText('after', '\nExample:\n  clifford notify trust')
    .action((options: { yes?: true; json?: true }) =>
      withProject(cli, (project) => trustNotify(cli, project, options)),
    );
}

async function test(
  cli: Cli,
  project: Project,
  { channel, isJson }: { channel: string | undefined; isJson: boolean },
): Promise<void> {
  const reading = await requireConfig(cli, project.root, (key) => key === 'notify');
  const { config } = reading;
  const remote = Object.keys(config.notify.channels);
  requireChannel(channel, [...channels.map(({ name }) => name), ...remote]);
  const here = await tryHere(cli, reading, channel);
  const elsewhere = await tryRemotes(cli, project, reading, channel);
  const tried = [...here, ...elsewhere];
  const outcomes = new Set(tried.map(({ outcome }) => outcome));
  // One that somebody has configured calls nobody, whatever else works.
  const isOff = elsewhere.some(({ outcome }) => outcome === 'off');
  if (outcomes.has('failed') || !outcomes.has('sent') || isOff) cli.endWith(exitCodes.failed);
  if (isJson) return cli.printJson(tried);
  cli.printLines(columns(tried.map((each) => [each.channel, showHidden(each.said)])));
  if (quietLeftMs(config.notify.quietHours, Date.now()) > 0)
    cli.note(`these are quiet hours (${config.notify.quietHours}): a run calls nobody now`);
}

/** @throws {CliffordError} `CHANNEL_UNKNOWN` */
function requireChannel(channel: string | undefined, known: readonly string[]): void {
  if (channel === undefined || known.includes(channel)) return;
  throw new CliffordError(`Cannot test ${channel}: no channel has that name`, {
    code: 'CHANNEL_UNKNOWN',
    fix: `Name one of ${known.join(', ')}, or none for all`,
  });
}

/** Those that end at this terminal. */
async function tryHere(cli: Cli, reading: ConfigReading, only: string | undefined): Promise<Tried[]> {
  const wanted = channels.filter(({ name }) => only === undefined || name === only);
  const terminal = terminalOf(cli);
  const opened = wanted.map(({ name, open }) => ({ name, way: open(reading.config.notify, terminal) }));
  const close = () => {
    for (const { way } of opened) if ('close' in way) way.close?.();
  };
  const stopRestoring = restoreAtExit(close);
  const tried: Tried[] = [];
  for (const { name, way } of opened) tried.push({ channel: name, ...tryWay(way) });
  // Long enough to be seen.
  if (opened.some(({ way }) => 'show' in way)) await pause(SHOWN_MS);
  close();
  stopRestoring();
  return tried;
}

function tryWay(way: OpenChannel | Off): Omit<Tried, 'channel'> {
  if ('off' in way) return { outcome: 'off', said: way.off };
  const told = way.call?.(notice);
  const shown = way.show?.({ name: 'test', open: 1, done: 1, total: 2, end: undefined, stall: undefined });
  return { outcome: 'sent', said: told ?? `${shown}, for ${SHOWN_MS / 1_000} s` };
}
