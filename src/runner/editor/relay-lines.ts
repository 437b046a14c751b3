import type { Readable, Writable } from 'node:stream';

const NEWLINE = 0x0a;

/** Bytes that go from one stream to another, line by line. */
export type LineRelay = {
  readonly from: Readable;
  readonly to: Writable;
  /** Looks at a line, without its end. Returns what is passed on: the same, another one, or nothing. */
  readonly onLine: (line: Buffer) => Buffer | undefined;
  /** What has to be waited for before more is read. */
  readonly pace?: () => Promise<void> | undefined;
  /** Longest line. */
  readonly maxBytes: number;
};

/** Why a relay is over: nothing more comes, nobody takes what comes, or a line is longer than may be. */
export type RelayEnd = 'ended' | 'refused' | 'too long';

/**
 * Passes lines on as the bytes they came as, in their order, and holds no more than one of them and what the receiver
 * has not read yet. What comes without an end of a line at last is passed on, too.
 */
export async function relayLines({ from, to, onLine, pace, maxBytes }: LineRelay): Promise<RelayEnd> {
  const kept = new KeptLine();
  for await (const chunk of from as AsyncIterable<Buffer>) {
    // Lines that are passed on as they are leave together.
    let [passed, start] = [0, 0];
    const leave = (until: number) => {
      if (until > passed) to.write(chunk.subarray(passed, until));
    };
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const line = kept.with(chunk.subarray(start, end));
      const isWhole = line.length === end - start;
      const out = onLine(line);
      if (out !== line || !isWhole) {
        leave(start);
        if (out) to.write(Buffer.concat([out, chunk.subarray(end, end + 1)]));
        passed = end + 1;
      }
      start = end + 1;
    }
    leave(start);
    if (kept.keep(chunk.subarray(start)) > maxBytes) return 'too long';
    if (to.writableNeedDrain) await drained(to);
    if (to.destroyed) return 'refused';
    await pace?.();
  }
  const rest = kept.with(Buffer.alloc(0));
  const out = rest.length === 0 ? undefined : onLine(rest);
  if (out) to.write(out);
  return 'ended';
}

/** The beginning of a line whose end has not come. */
class KeptLine {
  #parts: Buffer[] = [];
  #size = 0;

  /** How many bytes are kept by now. */
  keep(part: Buffer): number {
    if (part.length > 0) this.#parts.push(part);
    this.#size += part.length;
    return this.#size;
  }

  /** The line with its end; nothing is kept of it. */
  with(end: Buffer): Buffer {
    if (this.#parts.length === 0) return end;
    const line = Buffer.concat([...this.#parts, end]);
    [this.#parts, this.#size] = [[], 0];
    return line;
  }
}

/** Resolves when more can be written, or nothing any more. */
function drained(to: Writable): Promise<void> {
  return new Promise((resolve) => {
    const over = () => {
      for (const name of ['drain', 'close', 'error']) to.off(name, over);
      resolve();
    };
    for (const name of ['drain', 'close', 'error']) to.on(name, over);
  });
}
