import { closeSync, openSync, readSync } from 'node:fs';

const CHUNK_BYTES = 256 * 1024;

/** The least a reader of JSON lines must do: read in chunks, split, `JSON.parse`. Returns the count. */
export function parseLines(path: string): number {
  const fd = openSync(path, 'r');
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let rest = Buffer.alloc(0);
  let count = 0;
  for (let length = readSync(fd, chunk); length > 0; length = readSync(fd, chunk)) {
    const bytes = Buffer.concat([rest, chunk.subarray(0, length)]);
    let from = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, from)) {
      JSON.parse(bytes.toString('utf8', from, end));
      count += 1;
      from = end + 1;
    }
    rest = bytes.subarray(from);
  }
  closeSync(fd);
  return count;
}
