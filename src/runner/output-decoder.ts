import { StringDecoder } from 'node:string_decoder';
import { stripVTControlCharacters } from 'node:util';
import type { OutputChannel } from './agent-process.ts';

/** How much of stderr is kept to say why an attempt failed, in characters. */
const TAIL_LENGTH = 4_096;
const TAIL_LINES = 3;
const WORDS_LENGTH = 500;

/** Decodes what an agent prints, across chunks, and remembers the end of its stderr. */
export class OutputDecoder {
  readonly #decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };
  #tail = '';

  /** The text of a chunk, without a character whose end is still to come. */
  decode(channel: OutputChannel, chunk: Uint8Array): string {
    const text = this.#decoders[channel].write(chunk);
    if (channel === 'stderr') this.#tail = (this.#tail + text).slice(-TAIL_LENGTH);
    return text;
  }

  /** The last lines of stderr, on one line, without colours. `''` when it said nothing. */
  lastWords(): string {
    const lines = stripVTControlCharacters(this.#tail).split(/[\r\n]+/);
    return lines
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .slice(-TAIL_LINES)
      .join(' | ')
      .slice(0, WORDS_LENGTH);
  }
}
