import { followingOf } from '../line/line-codec.ts';

/** The byte that ends a line. */
export const NEWLINE = 0x0a;
const CLOSING_BRACE = 0x7d;

/** More bytes than the end of a line takes that says how many events of its append follow. */
const END_BYTES = 40;

/** {@link followingOf} for a line as it stands in the file, without its newline. */
export function followingOfBytes(line: Buffer): number {
  return followingOf(line.toString('latin1', Math.max(0, line.length - END_BYTES)));
}

/** Whether bytes end with the last line of an append. `false` where only {@link followingOfBytes} can tell. */
export function endsWithAppend(bytes: Buffer): boolean {
  const { length } = bytes;
  // `data` is an object: where it is the last attribute, two braces are closed.
  return (
    bytes[length - 1] === NEWLINE &&
    bytes[length - 2] === CLOSING_BRACE &&
    bytes[length - 3] === CLOSING_BRACE
  );
}

/** What a line of `stream` contains, up to the `"` or `/` that follows. */
export function subjectPrefix(stream: string): string {
  return `"subject":${JSON.stringify(stream).slice(0, -1)}`;
}
