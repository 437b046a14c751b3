import { isUtf8 } from 'node:buffer';
import { UnreadableLine } from '../line/chain-reader.ts';
import { MAX_LINE_BYTES } from '../line/line-codec.ts';

/**
 * The text of a line. Plain ASCII, which nearly every line is, needs no decoding and has one character per byte.
 *
 * @throws {UnreadableLine} when it is too long, or no text.
 */
export function lineDecoder(isAllAscii: boolean): (bytes: Buffer) => string {
  return (bytes) => {
    if (bytes.length > MAX_LINE_BYTES) throw new UnreadableLine(`it is longer than ${MAX_LINE_BYTES} bytes`);
    if (isAllAscii) return bytes.toString('latin1');
    if (!isUtf8(bytes)) throw new UnreadableLine('it is not UTF-8');
    return bytes.toString('utf8');
  };
}
