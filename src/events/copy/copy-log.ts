import { CliffordError } from '../../errors.ts';
import { streamOf } from '../envelope.ts';
import { UnreadableLine } from '../line/chain-reader.ts';
import { ConflictError, type StreamHead } from '../log/event-log.ts';
import { AppendCollector } from './line-append.ts';
import type { LineAppend, LineLog } from './line-log.ts';

/** What was copied, and what was there before. */
export type Copied = {
  /** Events that were copied. */
  readonly events: number;
  /** Streams that some were copied of. */
  readonly streams: number;
  /** Events of the chosen streams that were there already. */
  readonly already: number;
};

/** Appends that are handed on at once: so many events, or so many UTF-16 units. */
const BATCH_EVENTS = 500;
const BATCH_LENGTH = 524_288;

type Heads = Readonly<Record<string, StreamHead>>;

/**
 * Copies a log, or some of its streams, to another one: the same lines in the same order, each append as a whole. Of
 * streams that are there already the rest is copied, so that it can be done again, after an interruption or later.
 *
 * Reads both logs to their ends first, and checks every schema and chain.
 *
 * @param streams - Default: all.
 * @throws {CliffordError} `LOGS_DIVERGED` when a stream has gone on differently there, or goes on while it is copied: of what
 *   is copied then all holds, and the rest is missing; `STREAM_MISSING`; as `EventLog.read` and `EventLog.append` do.
 */
export async function copyLog(
  from: LineLog,
  to: LineLog,
  { streams }: { readonly streams?: ReadonlySet<string> | undefined } = {},
): Promise<Copied> {
  const there = await headsOf(to);
  const here = await headsOf(from, { startsOf: there, other: to.name, streams });
  for (const stream of streams ?? []) if (!here[stream]) throw missing(from, stream);
  await assertAhead(to, here, there, { other: from.name, streams });

  const copied = { events: 0, streams: new Set<string>(), already: 0 };
  let batch: LineAppend[] = [];
  let [events, length] = [0, 0];
  const flush = async () => {
    await write(to, batch);
    [batch, events, length] = [[], 0, 0];
  };
  const collector = new AppendCollector();
  for await (const lines of from.lines()) {
    for (const line of lines) {
      const append = collector.take(line);
      if (!append || (streams && !streams.has(append.stream))) continue;
      const known = there[append.stream]?.version ?? 0;
      if (append.version <= known) {
        copied.already += append.lines.length;
        continue;
      }
      // What came since both logs were read is for the next time.
      if (append.version > (here[append.stream]?.version ?? 0)) continue;
      batch.push(append);
      copied.events += append.lines.length;
      copied.streams.add(append.stream);
      events += append.lines.length;
      length += append.lines.reduce((sum, each) => sum + each.length, 0);
      if (events >= BATCH_EVENTS || length >= BATCH_LENGTH) await flush();
    }
  }
  await flush();
  return { ...copied, streams: copied.streams.size };
}

async function write(to: LineLog, batch: readonly LineAppend[]): Promise<void> {
  try {
    await to.appendLines(batch);
  } catch (error) {
    if (error instanceof UnreadableLine) throw misspelled(error);
    if (!(error instanceof ConflictError)) throw error;
    throw diverged(error.stream, error.expected + 1, to.name, 'somebody appends to it');
  }
}

/** The heads of a log, all of which is checked. `startsOf`: heads of another one whose streams this one has to continue. */
export async function headsOf(
  log: LineLog,
  other?: { startsOf: Heads; other: string; streams: ReadonlySet<string> | undefined },
): Promise<Heads> {
  let heads: Heads = {};
  for await (const { events, checkpoint } of log.read()) {
    for (const { subject, streamversion, prevhash } of other ? events : []) {
      const stream = streamOf(subject);
      const head = other && Object.hasOwn(other.startsOf, stream) ? other.startsOf[stream] : undefined;
      const isChosen = other?.streams?.has(stream) ?? true;
      if (other && isChosen && head?.version === streamversion - 1 && head.hash !== prevhash)
        throw diverged(stream, head.version, other.other);
    }
    ({ heads } = checkpoint());
  }
  return heads;
}

/** Makes sure that streams that have come as far there, or farther, have come so by the same events. */
async function assertAhead(
  to: LineLog,
  here: Heads,
  there: Heads,
  { other, streams }: { other: string; streams: ReadonlySet<string> | undefined },
): Promise<void> {
  const isChosen = (stream: string) => streams?.has(stream) ?? true;
  const isFarther = (stream: string) => (there[stream]?.version ?? 0) > (here[stream]?.version ?? 0);
  for (const [stream, { version, hash }] of Object.entries(here))
    if (isChosen(stream) && there[stream]?.version === version && there[stream].hash !== hash)
      throw diverged(stream, version, to.name);
  const farther = Object.keys(here).filter((stream) => isChosen(stream) && isFarther(stream));
  if (farther.length > 0) await headsOf(to, { startsOf: here, other, streams: new Set(farther) });
}

function diverged(stream: string, version: number, name: string, why?: string): CliffordError {
  return new CliffordError(
    `Cannot copy stream ${stream}: at version ${version} it is another one in ${name}${why ? `, since ${why}` : ''}`,
    {
      code: 'LOGS_DIVERGED',
      fix: 'Copy the other streams with --sprint, or copy into an empty log',
    },
  );
}

/** A line that holds, and that nobody could have written here. */
function misspelled(cause: UnreadableLine): CliffordError {
  return new CliffordError(`Cannot copy a line as it is: ${cause.message}`, {
    code: 'LOG_CORRUPT',
    fix: 'Find out what wrote it',
    cause,
  });
}

function missing({ name }: LineLog, stream: string): CliffordError {
  return new CliffordError(`Cannot copy stream ${stream}: ${name} has none of that name`, {
    code: 'STREAM_MISSING',
    fix: 'Name a sprint by its id, as clifford status shows it',
  });
}
