import { preparedLine } from '../copy/line-append.ts';
import type { LineAppend, LineLog } from '../copy/line-log.ts';
import { Appender } from './appender.ts';
import { hasEventsStream } from './events-stream.ts';
import { fetchMessages, lastMessage } from './fetch-messages.ts';
import type { LogAddress } from './log-address.ts';
import { LogServer } from './log-server.ts';
import { linesOf } from './message.ts';
import { readEvents } from './read-events.ts';

/** The log on a server as lines. @throws {CliffordError} as `openJetStreamLog` does. */
export async function openJetStreamLines(
  address: LogAddress & { readonly replicas: number },
): Promise<LineLog> {
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
          run.map(({ stream, version, lines }) =>
            appender.append({
              stream,
              expectedVersion: version - 1,
              isRetry: false,
              events: lines.map(preparedLine),
            }),
          ),
        );
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
