/**
 * The text that bytes are; `undefined` when they are no UTF-8.
 *
 * @param keepsMark - A byte order mark stays, so that the text can be written again as it was.
 */
export function utf8Text(bytes: Uint8Array, { keepsMark = false } = {}): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: keepsMark }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return undefined;
  }
}
