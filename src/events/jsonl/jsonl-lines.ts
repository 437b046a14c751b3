import { isAscii } from 'node:buffer';
import { closeSync } from 'node:fs';
import { resolve } from 'node:path';
import { preparedAppend } from '../copy/line-append.ts';
import type { LineLog } from '../copy/line-log.ts';
import { Appender } from './appender.ts';
import { LastSeen } from './last-seen.ts';
import { NEWLINE } from './line-bytes.ts';
import { lineDecoder } from './line-decoder.ts';
import { kernelIo } from './log-io.ts';
import { LOCK_WAIT_MS } from './log-lock.ts';
import { readChunks } from './read-chunks.ts';
import { openForReading, readLog } from './read-log.ts';
import { rememberHeads } from './stream-heads.ts';
import { endOfAppends, sizeOf } from './tail.ts';

/** The log in the file `path` as lines. A missing file is an empty log, made by the first lines. */
export function openJsonlLines(path: string): LineLog {
  const file = resolve(path);
  const appender = new Appender({
    path: file,
    io: kernelIo(),
    lockWaitMs: LOCK_WAIT_MS,
    seen: new LastSeen(),
    headsOf: rememberHeads(file),
  });
  return {
    name: path,
    read: (options = {}) => readLog(file, options),
    lines: () => linesOf(file),
    async appendLines(appends) {
      // Those made at once are written in their order.
      const written = await Promise.allSettled(
        appends.map(preparedAppend).map((append) => appender.append(append)),
      );
      // Only then: whoever looks what is there sees all that came of it.
      for (const each of written) if (each.status === 'rejected') throw each.reason;
    },
    close: () => appender.close(),
  };
}

async function* linesOf(file: string): AsyncGenerator<string[]> {
  const fd = openForReading(file);
  if (fd === undefined) return;
  try {
    for await (const { bytes } of readChunks(fd, file, 0, endOfAppends(fd, sizeOf(fd)))) {
      const decode = lineDecoder(isAscii(bytes));
      const lines: string[] = [];
      for (let start = 0; start < bytes.length;) {
        const end = bytes.indexOf(NEWLINE, start);
        lines.push(decode(bytes.subarray(start, end)));
        start = end + 1;
      }
      yield lines;
    }
  } finally {
    closeSync(fd);
  }
}
