import { StringDecoder } from 'node:string_decoder';
import type { OutputChannel } from '../../lib/processes/start-group.ts';
import { lastQuotedWords } from './quote-words.ts';

/** How much of stderr is kept to say why an attempt failed, in characters. */
const TAIL_LENGTH = 4_096;
const TAIL_LINES = 3;

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
    return lastQuotedWords(this.#tail, TAIL_LINES);
  }
}
