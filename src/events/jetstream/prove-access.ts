import { z } from 'zod';
import { OWN_PERMISSIONS } from './access.ts';
import { isAllowed } from './allowed-subjects.ts';
import { consumeMessages, lastMessage } from './fetch-messages.ts';
import { askInVain, listenInVain, makeInVain, NOWHERE, publishInVain } from './in-vain.ts';
import { asLogError, troubleOf, unreachable } from './jetstream-errors.ts';
import type { LogAddress } from './log-address.ts';
import { JETSTREAM_API, LogServer } from './log-server.ts';
import { proveElsewhere, type ElsewhereProof } from './prove-elsewhere.ts';
import { queueNames, type QueueNames } from './queue/queue-names.ts';

/** Which server was reached, and as whom. */
export type ProvenServer = {
  readonly version: string;
  readonly connectMs: number;
  readonly isEncrypted: boolean;
  /** As the server names them; `undefined`: it does not say so to this user. */
  readonly user?: { readonly name: string; readonly account: string } | undefined;
};

/** How the log is kept. */
export type ProvenLog = {
  readonly messages: number;
  readonly bytes: number;
  /** On how many servers. */
  readonly replicas: number;
  /** How many of them are away, or do not have all of it yet. */
  readonly behind: number;
};

/** Whether something may be done; why not, as an error of Clifford's. */
export type Proof = { readonly may: true } | { readonly may: false; readonly error: unknown };

/**
 * - `responses`: one may publish wherever an answer is asked for (`allow_responses`): one asks oneself, and all of them are let.
 * - `words`: one is in the account of the log, and has the server send a word of its own there: that nothing comes, to the request
 *   by which the log is removed, or what a stream sends on that one makes.
 * - `queue`: the stream of the queue is one that one may make so, since nobody has made it beside the log.
 */
type Bypass = 'responses' | 'words' | 'queue';

/** What a credential can do with a log, each tried on the server. */
export type ProvenAccess = {
  readonly server: ProvenServer;
  /** The log as it is there; `'missing'`: nobody has made it yet. */
  readonly look: Proof & { readonly log?: ProvenLog | 'missing' };
  readonly read: Proof;
  readonly follow: Proof;
  readonly append: Proof;
  readonly make: Proof;
  /** The queue beside it as it is there; `'missing'`: nobody has made it yet. */
  readonly jobs: Proof & { readonly waiting?: number | 'missing' };
  /** To put sprints into it, and to take them from there. */
  readonly queue: Proof;
  readonly take: Proof;
  /** What one is let do with another project; why that could not be tried, as an error of Clifford's. */
  readonly elsewhere: ElsewhereProof | { readonly error: unknown };
  /** Requests by which the log could be removed or changed; `undefined`: the server does not say. */
  readonly dangerous: readonly string[] | undefined;
  /** How one gets past what one may publish. */
  readonly bypass: Bypass | undefined;
};

/** How long a message is waited for that is there, in ms. */
const FOLLOW_MS = 5_000;

/** Requests that only the people have a use for who run the server. */
const DANGEROUS = ['STREAM.DELETE', 'STREAM.UPDATE', 'STREAM.PURGE', 'STREAM.MSG.DELETE', 'STREAM.RESTORE'];

/** The one of them for which an empty message is enough, as the server's own are. */
const BY_NO_WORD = 'STREAM.DELETE';

/** How often the server is asked who one is: another one of its cluster may be faster. */
const CONTEXT_TRIES = 100;

const contextSchema = z.object({
  server: z.object({ id: z.string() }),
  data: z.object({
    user: z.string(),
    account: z.string(),
    permissions: z
      .object({
        publish: z
          .object({ allow: z.array(z.string()), deny: z.array(z.string()) })
          .partial()
          .optional(),
        responses: z.object({}).optional(),
      })
      .optional(),
  }),
});

type Context = z.infer<typeof contextSchema>['data'];

/**
 * Tries what a credential can do with a log, and leaves nothing there: an append is sent that expects another stream than
 * the one it would come to, and one that makes the log has another name in it than in its request. Both are refused by
 * the server, once it has let them pass.
 *
 * @throws {CliffordError} as `openJetStreamLog`, when one cannot even connect.
 */
export async function proveAccess(address: LogAddress): Promise<ProvenAccess> {
  const startedAt = performance.now();
  const server = await LogServer.connect(address);
  const connectMs = performance.now() - startedAt;
  try {
    const { info } = server.connection;
    const context = await contextOf(server);
    const names = queueNames(address.project);
    const look = await lookAt(server);
    const jobs = await lookAtJobs(server, names);
    const bypass = context && bypassOf(server, context, { look, jobs, stream: names.stream });
    const isThere = look.may && look.log !== 'missing';
    return {
      server: {
        version: info?.version ?? '',
        connectMs,
        isEncrypted: info?.tls_required === true,
        user: context && { name: context.user, account: context.account },
      },
      look,
      read: await tried(server, 'read', () => lastMessage(server, server.names.all)),
      follow: isThere ? await tried(server, 'follow', () => follow(server)) : look,
      append: await tried(server, 'append to', () => publishInVain(server, server.names.subjectOf('adhoc'))),
      make: await tried(server, 'make', () => makeInVain(server, server.names.stream)),
      jobs,
      queue: await tried(server, 'fill the queue of', () => fillInVain(server, names)),
      take: await tried(server, 'take from the queue of', () => takeInVain(server, names)),
      elsewhere: await lookElsewhere(server, address.project, context),
      dangerous: context && dangerousIn(server, context, bypass),
      bypass,
    };
  } finally {
    await server.close();
  }
}

async function tried(server: LogServer, doing: string, attempt: () => Promise<unknown>): Promise<Proof> {
  try {
    await attempt();
    return { may: true };
  } catch (error) {
    return { may: false, error: asLogError(server.name, doing, error) };
  }
}

async function lookAt(server: LogServer): Promise<ProvenAccess['look']> {
  try {
    const { state, config, cluster } = await server.ask('look at', () => server.streamInfo());
    const { messages, bytes } = state;
    const followers = cluster?.replicas ?? [];
    const behind = followers.filter(({ current, offline }) => !current || offline === true).length;
    return { may: true, log: { messages, bytes, replicas: config.num_replicas, behind } };
  } catch (error) {
    if (troubleOf(error) === 'no-stream') return { may: true, log: 'missing' };
    return { may: false, error: asLogError(server.name, 'look at', error) };
  }
}

/** Has the newest message brought, as new ones are, and listens to what is published. */
async function follow(server: LogServer): Promise<void> {
  const { all } = server.names;
  const last = await lastMessage(server, all);
  if (!last) return;
  const signal = AbortSignal.any([server.closing, AbortSignal.timeout(FOLLOW_MS)]);
  await listenInVain(server, all);
  // It was brought, as everything is to whoever makes no consumer.
  if (server.looksOnly) return;
  for await (const messages of consumeMessages(server, {
    subject: all,
    after: last.seq - 1,
    until: last.seq,
    signal,
  }))
    if (messages.length > 0) return;
  throw unreachable(server.name, `Cannot follow ${server.name}: the newest event was not brought`);
}

async function lookAtJobs(server: LogServer, { stream }: QueueNames): Promise<ProvenAccess['jobs']> {
  try {
    const { state } = await server.manager.streams.info(stream);
    return { may: true, waiting: state.messages };
  } catch (error) {
    if (troubleOf(error) === 'no-stream') return { may: true, waiting: 'missing' };
    return { may: false, error: asLogError(server.name, 'look at the queue of', error) };
  }
}

async function lookElsewhere(
  server: LogServer,
  own: string,
  context: Context | undefined,
): Promise<ProvenAccess['elsewhere']> {
  try {
    return await proveElsewhere(server, own, context?.permissions?.publish);
  } catch (error) {
    return { error: asLogError(server.name, 'look for other projects beside', error) };
  }
}

/** All that whoever adds a job does: the first one makes the queue. */
async function fillInVain(server: LogServer, { stream, subjectOf }: QueueNames): Promise<void> {
  await publishInVain(server, subjectOf({ lane: 'next', needs: [], key: 'doctor' }));
  await makeInVain(server, stream);
}

/** All that a worker does: it asks who hands out what, is handed it, and says what became of it; and that it is there, when it is asked. */
async function takeInVain(server: LogServer, { stream, presence, answerTo }: QueueNames): Promise<void> {
  await listConsumers(server, stream);
  await askInVain(server, `${server.api}.CONSUMER.MSG.NEXT.${stream}.${NOWHERE}`);
  await askInVain(server, `$JS.ACK.${stream}.${NOWHERE}.1.1.1.1.0`);
  await listenInVain(server, presence);
  await askInVain(server, answerTo(NOWHERE));
  await makeInVain(server, stream);
}

async function listConsumers({ manager }: LogServer, stream: string): Promise<void> {
  try {
    await manager.consumers.list(stream).next();
  } catch (error) {
    if (troubleOf(error) !== 'no-stream') throw error;
  }
}

async function contextOf({ connection }: LogServer): Promise<Context | undefined> {
  try {
    for (let left = CONTEXT_TRIES; left > 0; left -= 1) {
      const answer = await connection.request(OWN_PERMISSIONS);
      const { server, data } = contextSchema.parse(answer.json());
      // What one may do knows the one alone that one is connected with.
      if (server.id === connection.info?.server_id) return data;
    }
  } catch {
    // Whoever may not ask for it is not told.
  }
  return undefined;
}

function dangerousIn({ names }: LogServer, context: Context, bypass: Bypass | undefined): string[] {
  return DANGEROUS.filter(
    (request) =>
      bypass === 'responses' ||
      (bypass !== undefined && request === BY_NO_WORD) ||
      isAllowed(`$JS.API.${request}.${names.stream}`, context.permissions?.publish),
  );
}

function bypassOf(
  { api, names }: LogServer,
  { permissions }: Context,
  queue: Pick<ProvenAccess, 'look' | 'jobs'> & { readonly stream: string },
): Bypass | undefined {
  if (permissions?.responses !== undefined) return 'responses';
  const may = (subject: string) => isAllowed(subject, permissions?.publish);
  const next = [names.stream, queue.stream].map((stream) => `${api}.CONSUMER.MSG.NEXT.${stream}.${NOWHERE}`);
  const worded = [...next, `$JS.ACK.${queue.stream}.${NOWHERE}.1.1.1.1.0`, `${api}.STREAM.CREATE.${NOWHERE}`];
  // Elsewhere an answer comes back to the account of who has asked, wherever it is sent.
  if (api === JETSTREAM_API && worded.some(may)) return 'words';
  const isOpen = typeof queue.look.log === 'object' && queue.jobs.waiting === 'missing';
  return isOpen && may(`${api}.STREAM.CREATE.${queue.stream}`) ? 'queue' : undefined;
}
