import { preparedAppend } from '../copy/line-append.ts';
import type { LineAppend, LineLog } from '../copy/line-log.ts';
import { Appender } from './appender.ts';
import { hasEventsStream } from './events-stream.ts';
import { fetchMessages, lastMessage } from './fetch-messages.ts';
import { followMessages } from './follow-messages.ts';
import type { LogAddress } from './log-address.ts';
import { LogServer } from './log-server.ts';
import { linesOf, placeAfter, placeOf, tokenOf } from './message.ts';
import { readEvents } from './read-events.ts';

/** Lines as they come, and the place after them, by which they are followed on later. */
export type LineBatch = { readonly lines: readonly string[]; readonly token: string };

/** A log on a server as lines, that can be followed. */
export type ServedLines = LineLog & {
  /**
   * Every line after a place once and in order, whole appends: what is there, then what comes, until `signal` aborts.
   *
   * @throws {CliffordError} as `EventLog.follow` does.
   */
  follow(options: {
    readonly after: string | undefined;
    readonly signal: AbortSignal;
  }): AsyncIterable<LineBatch>;
  /** The place after the newest line; `undefined`: there is none. */
  end(): Promise<string | undefined>;
};

/** The log on a server as lines. @throws {CliffordError} as `openJetStreamLog` does. */
export async function openJetStreamLines(
  address: LogAddress & { readonly replicas: number },
): Promise<ServedLines> {
  const server = await LogServer.connect(address);
  try {
    await hasEventsStream(server);
  } catch (error) {
    await server.close();
    throw error;
  }
  const appender = new Appender({ server, replicas: address.replicas, upcasters: undefined });
  return {
    name: server.name,
    read: (options = {}) => readEvents(server, options, undefined),
    lines: () => allLines(server),
    async appendLines(appends) {
      // Those of one stream made at once are one message; what follows in another stream comes after it.
      for (const run of runsOf(appends))
        await Promise.all(
          run.map((append) => appender.append({ ...preparedAppend(append), isRetry: false })),
        );
    },
    async *follow({ after, signal }) {
      const ending = AbortSignal.any([signal, server.closing]);
      const place = after === undefined ? undefined : placeOf(after);
      for await (const messages of followMessages(server, { after: place, signal: ending })) {
        const newest = messages.at(-1);
        if (newest) yield { lines: messages.flatMap(linesOf), token: tokenOf(placeAfter(newest)) };
      }
    },
    async end() {
      const last = await lastMessage(server, server.names.all);
      return last && tokenOf(placeAfter(last));
    },
    async close() {
      server.end();
      await appender.close();
      await server.close();
    },
  };
}

async function* allLines(server: LogServer): AsyncGenerator<string[]> {
  const { all } = server.names;
  const last = await lastMessage(server, all);
  if (!last) return;
  for await (const messages of fetchMessages(server, { subject: all, after: 0, until: last.seq }))
    yield messages.flatMap(linesOf);
}

/** Appends in their order, those of the same stream that follow each other together. */
function runsOf(appends: readonly LineAppend[]): LineAppend[][] {
  const runs: LineAppend[][] = [];
  for (const append of appends) {
    const run = runs.at(-1);
    if (run?.[0]?.stream === append.stream) run.push(append);
    else runs.push([append]);
  }
  return runs;
}
