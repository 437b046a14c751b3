import { whyNoExecutable } from '../../lib/processes/find-executable.ts';
import { expandVariables } from '../../workflow/config/expand-variables.ts';
import { channelOf, problemText } from '../../workflow/config/config-problem.ts';
import type { ConfigReading } from '../../workflow/config/load-config.ts';
import type { NotifyChannelConfig, NotifyService } from '../../workflow/config/notify-channel-keys.ts';
import type { Off } from '../channel.ts';
import { isOwnMachine } from './own-machine.ts';
import type { RemoteChannel } from './remote-channel.ts';
import { rulesOf, type ChannelRules } from '../rules.ts';
import type { Shows } from './shows.ts';
import { webhookKey } from './webhook-key.ts';
import { channelTrust, type ChannelTrust, type TrustPlace } from './trust-channels.ts';

/** A channel that can be used. */
export type OpenRemote = {
  readonly channel: RemoteChannel;
  readonly rules: ChannelRules;
  readonly shows: Shows;
  /** The one chat that answers come from. */
  readonly chat: string;
  /** Names of those who may answer, by their ids. */
  readonly people: ReadonlyMap<string, string>;
  readonly approvals: boolean;
  /** What is not as it should be although it works. */
  readonly remark: { readonly text: string; readonly fix: string } | undefined;
};

/** A channel of the configuration, by its name: open, or why it is not. */
export type RemoteOrOff = { readonly name: string; readonly way: OpenRemote | Off };

/**
 * Opens every channel of the configuration that can be used. What it needs of the environment is looked up here, and
 * nowhere else.
 *
 * @throws {CliffordError} `NOTIFY_TRUST_UNREADABLE`
 */
export async function openRemotes(
  place: TrustPlace,
  reading: Pick<ConfigReading, 'config' | 'origins' | 'problems'>,
): Promise<RemoteOrOff[]> {
  const { channels } = reading.config.notify;
  const trust = await channelTrust(place, reading);
  return Promise.all(
    Object.keys(channels).map(async (name): Promise<RemoteOrOff> => {
      const off = mistakeIn(reading, name) ?? distrust(trust.get(name));
      return { name, way: off === undefined ? await openRemote(place, reading, name) : { off } };
    }),
  );
}

/** @param name - Of a channel of the configuration. */
async function openRemote(
  place: TrustPlace,
  { config: { notify } }: Pick<ConfigReading, 'config'>,
  name: string,
): Promise<OpenRemote | Off> {
  const written = notify.channels[name];
  if (written?.via === undefined) return { off: `it has no via: what its messages go through` };
  const expanded = lookUp(written, place.env);
  if ('off' in expanded) return expanded;
  const opened = await openers[written.via](name, expanded, place);
  if ('off' in opened) return opened;
  const { answers = {}, shows = 'questions', approvals = false, chat = '' } = expanded;
  return {
    ...opened,
    rules: rulesOf({ channel: name, place: opened.channel.place, at: 'elsewhere' }, expanded, notify),
    shows,
    chat,
    people: new Map(Object.entries(answers).map(([person, id]) => [id, person])),
    approvals,
  };
}

type Opened = Pick<OpenRemote, 'channel' | 'remark'>;

/** Each loads what it needs when a channel of its kind is there. The configuration was checked: what is needed is there. */
const openers: Readonly<
  Record<
    NotifyService,
    (name: string, config: NotifyChannelConfig, place: TrustPlace) => Promise<Opened | Off>
  >
> = {
  async webhook(name, { url = '', format = 'clifford', secret }) {
    const where = urlOf(url, webProtocols);
    if ('off' in where) return where;
    const keyed = secret === undefined ? undefined : webhookKey(secret);
    if (keyed && 'off' in keyed) return keyed;
    const signing = keyed && secret !== undefined ? { ...keyed, secret } : undefined;
    const { webhook } = await import('./services/webhook.ts');
    return { channel: webhook({ name, ...where, format, signing }), remark: unsafe(where.url) };
  },
  async ntfy(name, { url = 'https://ntfy.sh', topic = '', token }) {
    const where = urlOf(url, webProtocols);
    if ('off' in where) return where;
    const { ntfy } = await import('./services/ntfy.ts');
    return { channel: ntfy({ name, ...where, topic, token }), remark: unsafe(where.url) };
  },
  async email(name, { url = '', user, password, from = '', to = [] }) {
    const where = urlOf(url, mailProtocols);
    if ('off' in where) return where;
    const { email } = await import('./services/email.ts');
    const login = user === undefined ? undefined : { user, password };
    return { channel: email({ name, ...where, login, from, to }), remark: undefined };
  },
  async telegram(name, { url = 'https://api.telegram.org', token = '', chat = '', answers }) {
    const where = urlOf(url, webProtocols);
    if ('off' in where) return where;
    const { telegram } = await import('./services/telegram.ts');
    const takesAnswers = answers !== undefined;
    return { channel: telegram({ name, ...where, token, chat, takesAnswers }), remark: unsafe(where.url) };
  },
  async slack(name, { url = 'https://slack.com', token = '', appToken, chat = '', answers }) {
    const where = urlOf(url, webProtocols);
    if ('off' in where) return where;
    const { slack } = await import('./services/slack.ts');
    const takesAnswers = answers !== undefined;
    return {
      channel: slack({ name, ...where, token, appToken, chat, takesAnswers }),
      remark: unsafe(where.url),
    };
  },
  async command(name, { command: [file = '', ...args] = [] }, { root, env }) {
    const { command } = await import('./services/command.ts');
    const text = whyNoExecutable(file, { cwd: root, path: env['PATH'] ?? process.env['PATH'] });
    const remark = text === undefined ? undefined : { text, fix: 'Install it, or correct its command' };
    return { channel: command({ name, argv: [file, ...args], root, env }), remark };
  },
};

const webProtocols = ['https:', 'http:'];
const mailProtocols = ['smtps:', 'smtp:'];

/** Nothing of the value is said: it may be a secret. */
function urlOf(text: string, protocols: readonly string[]): { readonly url: URL } | Off {
  const url = URL.parse(text);
  if (!url || !protocols.includes(url.protocol) || url.hostname === '')
    return { off: `its url begins with none of ${protocols.map((each) => `${each}//`).join(', ')}` };
  if (url.username !== '' || url.password !== '')
    return { off: 'its url has a name or a password in it: they have keys of their own' };
  return { url };
}

function unsafe({ protocol, hostname, host }: URL): Opened['remark'] {
  if (protocol === 'https:' || isOwnMachine(hostname)) return undefined;
  return {
    text: `what goes to ${host} can be read on the way: its url begins with http:`,
    fix: 'Use https:',
  };
}

/** The values with the variables of this process in them. */
function lookUp(config: NotifyChannelConfig, env: TrustPlace['env']): NotifyChannelConfig | Off {
  const found = new Map<string, unknown>();
  for (const [key, value] of Object.entries(config)) {
    // A shell that is among them has variables of its own, and each program all that there are here.
    if (key === 'command') continue;
    const expanded = expandVariables(value, env);
    if ('unset' in expanded) return { off: `${expanded.unset}, which ${key} needs, is not set` };
    if ('malformed' in expanded) return { off: `${key} has \${…}, which is not a variable` };
    if (expanded.variables.length > 0 && expanded.value === '')
      return { off: `${expanded.variables[0]}, which ${key} needs, is empty` };
    found.set(key, expanded.value);
  }
  return { ...config, ...Object.fromEntries(found) };
}

function mistakeIn({ problems }: Pick<ConfigReading, 'problems'>, name: string): string | undefined {
  const own = problems.find((each) => channelOf(each) === name);
  return own && problemText(own);
}

function distrust(trust: ChannelTrust | undefined): string | undefined {
  if (trust === 'new') return 'you have not trusted it yet: clifford notify trust';
  return trust === 'changed' ? 'it has changed since you trusted it: clifford notify trust' : undefined;
}
