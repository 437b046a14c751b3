import type { AgentSignal } from '../agents/output/agent-signal.ts';
import type { OutputParser } from '../agents/agent-adapter.ts';
import { LONG_LINE, MAX_LINE_LENGTH } from '../agents/output/long-line.ts';
import { LineSplitter } from '../../lib/text/line-splitter.ts';
import type { OutputChannel } from '../../lib/processes/start-group.ts';
import { LineGuard } from './line-guard.ts';
import { OutputDecoder } from './output-decoder.ts';
import { SignalWriter } from './signal-writer.ts';

/** What an agent printed, for people, and what it says to Clifford. */
export type Printed = {
  readonly text: string;
  readonly signals: readonly AgentSignal[];
  /** What no model wrote of it: a plain text, or lines among structured ones, behind the last of those. */
  readonly plain: string;
  /** What is for the transcript alone. */
  readonly kept?: string;
  /** Structured output was there, too: the agent is at work. */
  readonly isStructured: boolean;
};

/** A line that is longer than is read: how it begins. */
type LongLine = { readonly beginning: string };

/**
 * Reads what an agent prints: plain text as it comes, structured output line by line, as text that a human
 * can follow.
 */
export class AgentOutput {
  readonly #decoder = new OutputDecoder();
  readonly #parser: OutputParser | undefined;
  readonly #seen = new LineGuard();
  readonly #writer = new SignalWriter({ lines: this.#seen });
  readonly #lines = {
    stdout: new LineSplitter<LongLine>(MAX_LINE_LENGTH, (beginning) => ({ beginning })),
    stderr: new LineSplitter(MAX_LINE_LENGTH, () => `[${LONG_LINE}]`),
  };

  /** @param parser - `undefined`: plain text. */
  constructor(parser: OutputParser | undefined) {
    this.#parser = parser;
  }

  take(channel: OutputChannel, chunk: Uint8Array): Printed {
    const text = this.#decoder.decode(channel, chunk);
    if (channel === 'stderr') return this.#error(text);
    if (!this.#parser) return { text, signals: [], ...asPlain(text) };
    return join(this.#lines.stdout.take(text).map((line) => this.#read(line)));
  }

  /** What no line of it says. */
  queued(): Printed {
    const signals = this.#parser?.queued?.() ?? [];
    const text = signals.map((signal) => this.#writer.signal(signal)).join('');
    return { text, signals, plain: '', isStructured: true };
  }

  /** A last line of stdout without its end, once there is nothing more to come. */
  lastLine(): Printed {
    return join(this.#parser ? this.#lines.stdout.rest().map((line) => this.#read(line)) : []);
  }

  /** What is left when it has ended: last lines without their end. */
  rest(): Printed {
    if (!this.#parser) return { text: '', signals: [], ...asPlain('') };
    const last = this.lastLine();
    const { errorLine = () => [], end = () => [] } = this.#parser;
    const lastWords = this.#lines.stderr.rest().flatMap((line) => errorLine(line));
    const signals = [...lastWords, ...end()];
    return join([last, { text: this.#seen.endLine(), signals, ...asPlain('') }]);
  }

  /** What was held back of stderr, once there is nothing more to come. */
  errorRest(): string {
    return this.#seen.release('stderr');
  }

  /** Words that stand among those of the agent, as they are seen there. */
  foreign(text: string, channel: OutputChannel): string {
    return this.#parser ? this.#writer.foreign(text, channel) : text;
  }

  /** The line that is seen of it has got its end, on stderr. */
  noteLineEnd(): void {
    this.#seen.noteEnd('stderr');
  }

  /** What has come of a line that is not told of yet, since it may become a structured one. */
  unfinished(channel: OutputChannel): string {
    return this.#parser && channel === 'stdout' ? this.#lines.stdout.unfinished() : '';
  }

  /** The last lines of stderr, on one line, without colours. `''` when it said nothing. */
  lastWords(): string {
    return this.#decoder.lastWords();
  }

  #read(line: string | LongLine): Printed {
    const [shown, signals] =
      typeof line === 'string'
        ? [line, this.#parser?.line(line)]
        : [`[${LONG_LINE}]`, this.#parser?.longLine?.(line.beginning)];
    if (!signals) return { text: this.#writer.line(shown), signals: [], ...asPlain(`${shown}\n`) };
    const text = signals.map((signal) => this.#writer.signal(signal)).join('');
    return { text, signals, plain: '', isStructured: true };
  }

  #error(text: string): Printed {
    const signals = this.#errorSignals(text);
    if (!this.#parser?.logsOnStderr) return { text: this.foreign(text, 'stderr'), signals, ...asPlain(text) };
    const shown = signals.map((signal) => this.#writer.signal(signal)).join('');
    return { text: shown, signals, kept: text, ...asPlain(text) };
  }

  #errorSignals(text: string): readonly AgentSignal[] {
    const read = this.#parser?.errorLine;
    return read ? this.#lines.stderr.take(text).flatMap((line) => read(line)) : [];
  }
}

function asPlain(plain: string): Pick<Printed, 'plain' | 'isStructured'> {
  return { plain, isStructured: false };
}

function join(parts: readonly Printed[]): Printed {
  const last = parts.findLastIndex(({ isStructured }) => isStructured);
  return {
    text: parts.map(({ text }) => text).join(''),
    signals: parts.flatMap(({ signals }) => signals),
    plain: parts
      .slice(last + 1)
      .map(({ plain }) => plain)
      .join(''),
    isStructured: last !== -1,
  };
}
