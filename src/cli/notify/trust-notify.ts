import { CliffordError } from '../../errors.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { channelTrust, trustChannels, type ChannelTrust } from '../../notify/remote/trust-channels.ts';
import { channelOrigins } from '../../workflow/config/channel-origins.ts';
import type { ConfigReading } from '../../workflow/config/load-config.ts';
import type { Project } from '../../workflow/project/project.ts';
import { requireHuman } from '../../workflow/project/require-human.ts';
import type { Cli } from '../cli.ts';
import { exitCodes } from '../exit-codes.ts';
import { requireConfig } from '../input/require-config.ts';
import { canAsk, yesOrNo } from '../input/yes-or-no.ts';

/** A channel that needs trust, as it is shown. */
type ShownChannel = {
  readonly name: string;
  readonly trust: ChannelTrust;
  readonly lines: readonly string[];
};

/** Shows what channels would send where, and who would answer, and remembers that a person trusts it. */
export async function trustNotify(
  cli: Cli,
  project: Project,
  { yes, json }: { readonly yes?: true; readonly json?: true },
): Promise<void> {
  const place = { root: project.root, env: cli.env };
  const reading = await requireConfig(cli, project.root, (key) => key === 'notify');
  const shown = await shownChannels(place, reading);
  const names = shown.filter(({ trust }) => trust === 'new' || trust === 'changed').map(({ name }) => name);
  const trust = async () => {
    requireHuman(cli, 'trust the channels of notify', project);
    await trustChannels(place, reading, names);
  };
  if (json) {
    if (yes && names.length > 0) await trust();
    const channels = yes ? await shownChannels(place, reading) : shown;
    if (!yes && names.length > 0) cli.endWith(exitCodes.failed);
    return cli.printJson({ channels });
  }
  if (shown.length === 0)
    return cli.print('nothing to trust: no channel of clifford.json, no program, and nobody who may answer');
  cli.print(
    'Through these, messages leave Clifford, to a service or to a program that runs with your rights, and what those answer who may comes in:',
  );
  for (const { name, trust: state, lines } of shown)
    cli.printLines([`  ${name}${words[state]}`, ...lines.map((line) => `    ${line}`)]);
  if (names.length === 0) return cli.print('trusted already, as they are');
  if (!yes) {
    if (!canAsk(cli)) throw cannotAsk();
    requireHuman(cli, 'trust the channels of notify', project);
    const answer = await yesOrNo(cli, 'Trust this?');
    if (answer === 'stop') return cli.endWith(exitCodes.interrupted);
    if (answer === 'no') {
      cli.print('not trusted: they stay off');
      return cli.endWith(exitCodes.failed);
    }
  }
  await trust();
  cli.print(`trusted; you are asked again when any of it changes. Next: ${cli.called} notify test`);
  cli.hint('A screen or a page that is open calls as before until it is started again.');
}

const words: Readonly<Record<ChannelTrust, string>> = {
  needless: '',
  trusted: ' (trusted)',
  new: '',
  changed: ' (changed since you trusted it)',
};

async function shownChannels(
  place: Parameters<typeof channelTrust>[0],
  reading: ConfigReading,
): Promise<ShownChannel[]> {
  const trust = await channelTrust(place, reading);
  return [...trust]
    .filter(([, state]) => state !== 'needless')
    .map(([name, state]) => ({
      name,
      trust: state,
      lines: channelOrigins(reading, name).lines.map(({ key, written, origin }) =>
        visibleLine(`${key}: ${JSON.stringify(written)} (${origin})`),
      ),
    }));
}

function cannotAsk(): CliffordError {
  return new CliffordError('Cannot ask whether you trust this: there is no terminal', {
    code: 'NOTIFY_TRUST_UNCONFIRMED',
    fix: 'Look at it above, then trust it with --yes',
  });
}
