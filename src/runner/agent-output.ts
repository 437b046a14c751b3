import type { AgentSignal } from './agents/agent-signal.ts';
import type { OutputParser } from './agents/agent-adapter.ts';
import type { OutputChannel } from './agent-process.ts';
import { OutputDecoder } from './output-decoder.ts';
import { signalText } from './signal-text.ts';

/** What an agent printed, for people, and what it says to Clifford. */
export type Printed = { readonly text: string; readonly signals: readonly AgentSignal[] };

/** Longest line that is parsed, in characters. Of a longer one nothing is kept but that it was there. */
const MAX_LINE_LENGTH = 8 * 1024 * 1024;

/**
 * Reads what an agent prints: plain text as it comes, structured output line by line, as text that a human
 * can follow.
 */
export class AgentOutput {
  readonly #decoder = new OutputDecoder();
  readonly #parser: OutputParser | undefined;
  readonly #lines = { stdout: new LineBuffer(), stderr: new LineBuffer() };

  /** @param parser - `undefined`: plain text. */
  constructor(parser: OutputParser | undefined) {
    this.#parser = parser;
  }

  take(channel: OutputChannel, chunk: Uint8Array): Printed {
    const text = this.#decoder.decode(channel, chunk);
    if (channel === 'stderr') return { text, signals: this.#errorSignals(text) };
    if (!this.#parser) return { text, signals: [] };
    return join(this.#lines.stdout.take(text).map((line) => this.#read(line)));
  }

  /** What is left when it has ended: a last line without its end. */
  rest(): Printed {
    if (!this.#parser) return { text: '', signals: [] };
    return join(this.#lines.stdout.rest().map((line) => this.#read(line)));
  }

  /** The last lines of stderr, on one line, without colours. `''` when it said nothing. */
  lastWords(): string {
    return this.#decoder.lastWords();
  }

  #read(line: string): Printed {
    const signals = this.#parser?.line(line);
    if (!signals) return { text: `${line}\n`, signals: [] };
    return { text: signals.map(signalText).join(''), signals };
  }

  #errorSignals(text: string): readonly AgentSignal[] {
    const read = this.#parser?.errorLine;
    return read ? this.#lines.stderr.take(text).flatMap((line) => read(line)) : [];
  }
}

function join(parts: readonly Printed[]): Printed {
  return {
    text: parts.map(({ text }) => text).join(''),
    signals: parts.flatMap(({ signals }) => signals),
  };
}

/** Cuts a text that comes in parts into lines. */
class LineBuffer {
  #parts: string[] = [];
  #length = 0;
  #isTooLong = false;

  /** The lines that are complete now. */
  take(text: string): string[] {
    const pieces = text.split('\n');
    const last = pieces.pop() ?? '';
    const lines = pieces.flatMap((piece) => this.#complete(piece));
    this.#keep(last);
    return lines;
  }

  /** The line that was never ended. */
  rest(): string[] {
    return this.#length > 0 ? this.#complete('') : [];
  }

  #complete(piece: string): string[] {
    this.#keep(piece);
    const line = this.#isTooLong
      ? `[a line of more than ${MAX_LINE_LENGTH} characters]`
      : this.#parts.join('');
    this.#parts = [];
    this.#length = 0;
    this.#isTooLong = false;
    return [line.endsWith('\r') ? line.slice(0, -1) : line];
  }

  #keep(piece: string): void {
    this.#length += piece.length;
    if (this.#length > MAX_LINE_LENGTH) {
      this.#isTooLong = true;
      this.#parts = [];
    }
    if (!this.#isTooLong && piece !== '') this.#parts.push(piece);
  }
}
