import { randomUUID } from 'node:crypto';
import { cleanLine } from '../../lib/text/hidden-characters.ts';
import { namedProject } from '../../notify/named-project.ts';
import { DeliveryError } from '../../notify/remote/delivery-error.ts';
import type { Message } from '../../notify/remote/message.ts';
import { openRemotes, type RemoteOrOff } from '../../notify/remote/open-channels.ts';
import type { ConfigReading } from '../../workflow/config/load-config.ts';
import { commandsCalled } from '../../workflow/projects/commands-called.ts';
import type { Project } from '../../workflow/project/project.ts';
import { isHuman } from '../../workflow/project/require-human.ts';
import type { Cli } from '../cli.ts';
import { pageChannel } from './page-channel.ts';
import type { Tried } from './tried.ts';

/** How long all services together may take, in ms. */
const LIMIT_MS = 30_000;

const message: Omit<Message, 'id' | 'project'> = {
  kind: 'test',
  title: 'Clifford · test: this is how you are notified',
  text: 'Nothing waits for you',
  sprint: 'test',
  options: [],
  buttons: [],
  showsCall: false,
  tag: '',
  hint: '',
};

/** Sends a test through every channel that reaches anywhere, or through one. */
export async function tryRemotes(
  cli: Cli,
  project: Project,
  reading: ConfigReading,
  only: string | undefined,
): Promise<Tried[]> {
  const page = await pageChannel(cli, project, reading.config.notify);
  const opened: RemoteOrOff[] = [
    ...(await openRemotes({ root: project.root, env: cli.env }, reading)),
    ...(page ? [{ name: page.channel.name, way: page }] : []),
  ];
  const mayCall = isHuman(cli, project);
  const signal = AbortSignal.timeout(LIMIT_MS);
  const wanted = opened.filter(({ name }) => only === undefined || name === only);
  if (!mayCall) return wanted.map(refused);
  const { name } = await namedProject(cli.env, project.root);
  const told = { ...message, project: cleanLine(name) };
  return Promise.all(wanted.map((each) => tryRemote(each, told, { signal, called: cli.called })));
}

function refused({ name }: RemoteOrOff): Tried {
  return { channel: name, outcome: 'off', said: 'not sent: an agent may be asking for it' };
}

async function tryRemote(
  { name, way }: RemoteOrOff,
  told: Omit<Message, 'id'>,
  { signal, called }: { readonly signal: AbortSignal; readonly called: string },
): Promise<Tried> {
  if ('off' in way) return { channel: name, outcome: 'off', said: commandsCalled(called, way.off) };
  const { channel, people, remark } = way;
  try {
    const { said } = await channel.send({ ...told, id: `test-${randomUUID()}` }, signal);
    const who = [...people.values()].join(', ');
    const more = [who === '' ? '' : `answers: ${who}`, remark?.text ?? ''].filter((part) => part !== '');
    return { channel: name, outcome: 'sent', said: [`${channel.service}: ${said}`, ...more].join('; ') };
  } catch (error) {
    if (!(error instanceof DeliveryError)) throw error;
    return { channel: name, outcome: 'failed', said: `${channel.service}: ${error.message}` };
  }
}
