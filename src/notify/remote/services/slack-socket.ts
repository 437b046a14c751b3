import { pause } from '../../../lib/pause.ts';
import { z } from 'zod';
import { jsonValue } from '../../../lib/json/json-value.ts';
import { DeliveryError } from '../delivery-error.ts';
import type { TakeReply } from '../remote-channel.ts';
import { FILES_STAY, pressedButton, type Reply } from '../replies/reply.ts';
import type { SlackCall } from './slack-api.ts';
import { escapedForSlack, quietInSlack, unescapedFromSlack } from './slack-text.ts';

/** How often is looked whether the machine has slept, in ms, and how late that may be: a connection does not survive it. */
const LOOK_EVERY_MS = 10_000;
const LATE_MS = 30_000;
/** Of so many envelopes it is known that they were taken: Slack sends one again when it has heard nothing. */
const MAX_KNOWN = 500;
/** Between two connections, in ms: Slack closes them now and then. */
const REOPEN_MS = 1_000;

const envelopeSchema = z.object({
  type: z.string(),
  envelope_id: z.string().optional(),
  payload: z.unknown().optional(),
});

const pressSchema = z.object({
  type: z.literal('block_actions'),
  user: z.object({ id: z.string() }),
  container: z.object({ channel_id: z.string(), message_ts: z.string(), thread_ts: z.string().optional() }),
  actions: z.array(z.object({ action_id: z.string(), value: z.string().optional() })).min(1),
});

const messageSchema = z.object({
  event: z.object({
    type: z.literal('message'),
    // Of what was changed, deleted or joined there is another one; what a program wrote has the id of a bot.
    subtype: z.enum(['thread_broadcast', 'file_share']).optional(),
    bot_id: z.undefined().optional(),
    user: z.string(),
    channel: z.string(),
    text: z.string(),
    ts: z.string(),
    thread_ts: z.string(),
    files: z.array(z.unknown()).optional(),
  }),
});

type Listening = {
  readonly call: SlackCall;
  readonly take: TakeReply;
  readonly signal: AbortSignal;
  readonly token: string;
  readonly appToken: string;
  /** For messages. */
  readonly host: string;
};

/**
 * Reads answers by a connection to Slack, and opens another one when Slack asks for that, until `signal` aborts.
 *
 * @throws {DeliveryError} when there is no connection to be had, or it breaks.
 */
export async function listenToSlack(listening: Listening): Promise<void> {
  const { call, signal, appToken, host } = listening;
  const taken = new Set<string>();
  while (!signal.aborted) {
    const { url } = await call('apps.connections.open', {}, { token: appToken, signal });
    if (url === undefined || !/^wss?:$/.test(URL.parse(url)?.protocol ?? ''))
      throw new DeliveryError(`${host} offers no connection for answers`);
    await readSocket(url, listening, taken);
    await pause(REOPEN_MS, signal);
  }
}

/** Reads one connection, until Slack says that it ends. */
async function readSocket(url: string, listening: Listening, taken: Set<string>): Promise<void> {
  const { signal, host } = listening;
  const socket = new WebSocket(url);
  // One after the other: an answer that is being recorded is recorded before the next.
  let work: Promise<void> = Promise.resolve();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const end = () => resolve();
  const fail = (why: string) => reject(new DeliveryError(`${host} ${why}`));
  let lookedAt = Date.now();
  const watch = setInterval(() => {
    if (Date.now() - lookedAt > LATE_MS) end();
    lookedAt = Date.now();
  }, LOOK_EVERY_MS);
  watch.unref();
  signal.addEventListener('abort', end, { once: true });
  const lost = () => fail('lost the connection for answers');
  socket.addEventListener('error', lost);
  socket.addEventListener('close', lost);
  socket.addEventListener('message', ({ data }) => {
    const envelope = envelopeSchema.safeParse(jsonValue(String(data))).data;
    if (!envelope) return;
    if (envelope.type === 'disconnect') return end();
    const { envelope_id: id } = envelope;
    if (id === undefined) return;
    work = work
      .then(() => takeEnvelope({ ...envelope, envelope_id: id }, listening, taken))
      // Only what was recorded is acknowledged: Slack sends the others again.
      .then(() => socket.send(JSON.stringify({ envelope_id: id })))
      .catch(reject);
  });
  try {
    await promise;
  } finally {
    clearInterval(watch);
    signal.removeEventListener('abort', end);
    await work;
    socket.close();
  }
}

async function takeEnvelope(
  { envelope_id: id, payload }: { envelope_id: string; payload?: unknown },
  { call, take, signal, token }: Listening,
  taken: Set<string>,
): Promise<void> {
  if (taken.has(id)) return;
  const reply = replyIn(payload);
  const answer = reply && (await take(reply));
  const said = answer !== undefined && hasFiles(payload) ? `${answer}\n${FILES_STAY}` : answer;
  taken.add(id);
  const [oldest] = taken;
  if (taken.size > MAX_KNOWN && oldest !== undefined) taken.delete(oldest);
  if (reply?.ref === undefined || said === undefined) return;
  try {
    await call(
      'chat.postMessage',
      { channel: reply.chat, thread_ts: reply.ref, text: escapedForSlack(said), ...quietInSlack },
      { token, signal },
    );
  } catch (error) {
    // What was recorded is recorded, whether or not they hear of it.
    if (!(error instanceof DeliveryError)) throw error;
  }
}

function hasFiles(payload: unknown): boolean {
  return (messageSchema.safeParse(payload).data?.event.files?.length ?? 0) > 0;
}

function replyIn(payload: unknown): Reply | undefined {
  const press = pressSchema.safeParse(payload).data;
  if (press) {
    const { user, container, actions } = press;
    const action = actions[0];
    return {
      sender: user.id,
      chat: container.channel_id,
      ref: container.message_ts,
      isDirect: true,
      said: pressedButton(action?.value ?? ''),
    };
  }
  const event = messageSchema.safeParse(payload).data?.event;
  if (!event || event.thread_ts === event.ts) return undefined;
  return {
    sender: event.user,
    chat: event.channel,
    ref: event.thread_ts,
    isDirect: false,
    said: { text: unescapedFromSlack(event.text) },
  };
}
