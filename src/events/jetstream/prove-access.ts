import { JetStreamApiError } from '@nats-io/jetstream';
import { z } from 'zod';
import { OWN_PERMISSIONS } from './access.ts';
import { isAllowed } from './allowed-subjects.ts';
import { consumeMessages, lastMessage } from './fetch-messages.ts';
import { asLogError, troubleOf, unreachable } from './jetstream-errors.ts';
import type { LogAddress } from './log-address.ts';
import { LogServer } from './log-server.ts';
import { queueNames } from './queue/queue-names.ts';

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

/** What a credential can do with a log, each tried on the server. */
export type ProvenAccess = {
  readonly server: ProvenServer;
  /** The log as it is there; `'missing'`: nobody has made it yet. */
  readonly look: Proof & { readonly log?: ProvenLog | 'missing' };
  readonly read: Proof;
  readonly follow: Proof;
  readonly append: Proof;
  readonly make: Proof;
  /** To put sprints into the queue beside it, and to take them from there. */
  readonly queue: Proof;
  readonly take: Proof;
  /** Requests by which the log could be removed or changed; `undefined`: the server does not say. */
  readonly dangerous: readonly string[] | undefined;
};

/** No stream is called so: an append that expects it is refused, if the server gets as far as to look. */
const NO_STREAM = 'clifford-nowhere';
/** The error that says so. */
const STREAM_MISMATCH = 10060;
/** How long a message is waited for that is there, in ms. */
const FOLLOW_MS = 5_000;

/** Requests that only the people have a use for who run the server. */
const DANGEROUS = ['STREAM.DELETE', 'STREAM.UPDATE', 'STREAM.PURGE', 'STREAM.MSG.DELETE', 'STREAM.RESTORE'];

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
    const jobs = queueNames(address.project);
    const look = await lookAt(server);
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
      make: await tried(server, 'make', () => makeInVain(server)),
      queue: await tried(server, 'fill the queue of', () =>
        publishInVain(server, jobs.subjectOf({ lane: 'next', needs: [], key: 'doctor' })),
      ),
      take: await tried(server, 'take from the queue of', () => listConsumers(server, jobs.stream)),
      dangerous: context && dangerousIn(server, context),
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
  await listen(server);
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

/** @throws when one may not listen to the log. */
async function listen({ connection, names }: LogServer): Promise<void> {
  const { promise: refused, reject } = Promise.withResolvers<never>();
  const subscription = connection.subscribe(names.all, {
    callback: (error) => {
      if (error) reject(error);
    },
  });
  try {
    // What the server says of it comes before its answer to this.
    await Promise.race([connection.flush(), refused]);
  } finally {
    subscription.unsubscribe();
  }
}

async function publishInVain({ jetstream }: LogServer, subject: string): Promise<void> {
  try {
    await jetstream.publish(subject, '', {
      expect: { streamName: NO_STREAM, lastSubjectSequence: Number.MAX_SAFE_INTEGER },
    });
  } catch (error) {
    // Nothing may be there yet that could refuse it.
    if (troubleOf(error) !== 'unavailable' && !isMismatch(error)) throw error;
  }
}

/** Asks who hands out what: the one request that only those make who take something. */
async function listConsumers({ manager }: LogServer, stream: string): Promise<void> {
  try {
    await manager.consumers.list(stream).next();
  } catch (error) {
    if (troubleOf(error) !== 'no-stream') throw error;
  }
}

async function makeInVain({ connection, names, api }: LogServer): Promise<void> {
  const body = JSON.stringify({ name: NO_STREAM, subjects: [NO_STREAM] });
  await connection.request(`${api}.STREAM.CREATE.${names.stream}`, body);
}

function isMismatch(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === STREAM_MISMATCH;
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

function dangerousIn({ names }: LogServer, { permissions }: Context): string[] {
  return DANGEROUS.filter((request) => isAllowed(`$JS.API.${request}.${names.stream}`, permissions?.publish));
}
