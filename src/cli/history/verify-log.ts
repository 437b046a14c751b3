import { createReadStream, existsSync } from 'node:fs';
import { streamOf } from '../../events/envelope.ts';
import { NEWLINE } from '../../events/jsonl/line-codec.ts';
import { LogCorruptError } from '../../events/jsonl/log-errors.ts';
import { readLog } from '../../events/jsonl/read-log.ts';
import { findTornTail } from '../../events/jsonl/tail.ts';
import type { TornTail } from '../../events/jsonl/tail.ts';
import { applyEvent } from '../../machines/fold.ts';
import { checkLegality } from '../../machines/legality.ts';
import { createProjectState } from '../../machines/project-state.ts';

/** A log without damage. */
export type Verified = {
  readonly events: number;
  readonly streams: number;
  /** Hash of the last line: base64url SHA-256, `''` for an empty log. */
  readonly head: string;
  /** What a crash left after the last complete line. No damage: nobody was told it was written. */
  readonly tornTail: TornTail | undefined;
};

/**
 * Reads a whole log, trusting nothing: each line's schema, its place in the chain of its stream, and
 * whether the machines allowed it at that moment.
 *
 * @throws {LogCorruptError} for the first line that does not hold.
 * @throws {CliffordError} `LOG_NEWER`, `LOG_INACCESSIBLE`.
 */
export async function verifyLog(file: string): Promise<Verified> {
  const state = createProjectState();
  let events = 0;
  let head = '';
  for await (const batch of readLog(file, {})) {
    for (const event of batch.events) {
      events += 1;
      const known = state.streams.get(streamOf(event.subject));
      const verdict = checkLegality(state, event);
      if (!verdict.legal) {
        const line = events;
        throw new LogCorruptError(
          { file, line, byte: await offsetOfLine(file, line) },
          `${event.type} is not legal there: ${verdict.who} is ${verdict.state}` +
            (known === undefined ? '' : ` after version ${known.version}`),
        );
      }
      applyEvent(state, event);
    }
    head = batch.checkpoint().proof;
  }
  const tornTail = existsSync(file) ? await findTornTail(file) : undefined;
  return { events, streams: state.streams.size, head, tornTail };
}

/** The offset of a line's first byte. Reads the file up to it: for messages only. */
async function offsetOfLine(file: string, line: number): Promise<number> {
  let newlinesLeft = line - 1;
  let offset = 0;
  if (newlinesLeft === 0) return 0;
  for await (const chunk of createReadStream(file)) {
    const bytes: Buffer = chunk;
    for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) {
      newlinesLeft -= 1;
      if (newlinesLeft === 0) return offset + at + 1;
    }
    offset += bytes.length;
  }
  return offset;
}
