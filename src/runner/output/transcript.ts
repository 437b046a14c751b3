import { constants } from 'node:os';
import { join } from 'node:path';
import type { StoredEvent } from '../../events/envelope.ts';
import type { Secrets } from '../../events/secrets/redaction.ts';
import { StreamRedactor } from '../../events/secrets/stream-redactor.ts';
import type { OutputChannel, ProgramExit } from '../../lib/processes/start-group.ts';
import { aside, type CastCode } from '../../workflow/transcripts/cast.ts';
import { markerLabel } from '../../workflow/transcripts/marker-labels.ts';
import { transcriptPath } from '../../workflow/transcripts/transcript-files.ts';
import { CastWriter, type CastLimits } from './cast-writer.ts';
import { messageOf } from '../../lib/message-of.ts';

/** How long output is gathered before it is written as one event, in ms. */
const BATCH_MS = 30;
/** So much is written at once, in UTF-16 units. */
const BATCH_LENGTH = 16 * 1024;
/** Longest output of one event: what is longer becomes several. */
const MAX_EVENT_LENGTH = 64 * 1024;

/** Where output comes from; `aside`: it is only kept, to be looked up, and nobody watches it live. */
type From = OutputChannel | 'aside';

/** What a transcript is of. */
export type TranscriptParts = {
  /** The project's `.clifford`. */
  readonly dir: string;
  readonly runId: string;
  readonly title: string;
  /** What must not be written down. */
  readonly secrets: Secrets;
  /** Called once when it ends before its attempt, with the reason. */
  readonly onEnd: (note: string) => void;
  readonly limits?: CastLimits;
};

/**
 * What an agent printed, as a human reads it, and the events of the log that belong to it: a cast, with
 * secrets replaced as in the log. A file that cannot be written ends the transcript, not the agent.
 */
export class Transcript {
  readonly #parts: TranscriptParts;
  readonly #path: string;
  readonly #redactors: Readonly<Record<From, StreamRedactor>>;
  #cast: CastWriter | undefined;
  #pending = '';
  #isAside = false;
  /** What was written last of each channel ends a line. */
  readonly #isAtStart: Record<OutputChannel, boolean> = { stdout: true, stderr: true };
  #last: OutputChannel = 'stdout';
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: TranscriptParts) {
    this.#parts = parts;
    this.#path = join(parts.dir, transcriptPath(parts.runId));
    this.#redactors = {
      stdout: new StreamRedactor(parts.secrets),
      stderr: new StreamRedactor(parts.secrets),
      aside: new StreamRedactor(parts.secrets),
    };
    this.#orEnd(() => {
      this.#cast = new CastWriter(this.#path, parts);
    });
  }

  /** Takes output. It is written within {@link BATCH_MS}, but for what may be a part of a secret. */
  append(from: From, text: string): void {
    if (!this.#cast) return;
    this.#take(from, this.#redactors[from].push(text));
    if (this.#pending.length >= BATCH_LENGTH) this.#flush();
    else if (this.#pending !== '') this.#timer ??= setTimeout(() => this.#flush(), BATCH_MS);
  }

  /** Marks where the transcript was when these events came into the log. */
  mark(...events: readonly StoredEvent[]): void {
    if (events.length === 0) return;
    this.#flush();
    this.#write('m', ...events.map((event) => markerLabel(event)));
  }

  /** Writes what is left and how the agent ended, where it was started. Safe to call twice. */
  close(exit?: Pick<ProgramExit, 'code' | 'signal'>): void {
    this.#take('aside', this.#redactors.aside.end());
    for (const channel of ['stdout', 'stderr'] as const) {
      const text = this.#redactors[channel].end();
      // What was held back until now is no end of a line of the other channel.
      const isBehind = this.#last !== channel && !this.#isAtStart[this.#last] && this.#isAtStart[channel];
      this.#take(channel, text !== '' && isBehind ? `\n${text}` : text);
    }
    this.#flush(true);
    if (exit) this.#write('x', String(exitStatus(exit)));
    this.#cast?.close();
    this.#cast = undefined;
  }

  #take(from: From, text: string): void {
    if (text === '') return;
    if (this.#isAside !== (from === 'aside')) this.#flush(true);
    this.#isAside = from === 'aside';
    this.#pending += from === 'aside' ? text : this.#onItsLine(from, text);
  }

  /** With the end of the other channel's line before it, where that is held back with a secret and this begins one of its own. */
  #onItsLine(channel: OutputChannel, text: string): string {
    const isHeld = !this.#isAtStart[this.#last] && this.#redactors[this.#last].holdsLineEnd;
    const before = isHeld && this.#isAtStart[channel] ? '\n' : '';
    this.#isAtStart[channel] = text.endsWith('\n');
    this.#last = channel;
    return before + text;
  }

  #flush(isLast = false): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // The second half of a character may be in the next part.
    const hold = !isLast && endsInHalf(this.#pending) ? 1 : 0;
    const text = this.#pending.slice(0, this.#pending.length - hold);
    this.#pending = this.#pending.slice(text.length);
    for (const piece of pieces(text)) {
      const shown = piece.toWellFormed().replaceAll(/\r?\n/g, '\r\n');
      this.#write('o', this.#isAside ? aside(shown) : shown);
    }
  }

  #write(code: CastCode, ...data: readonly string[]): void {
    this.#orEnd(() => this.#cast?.write(code, ...data));
  }

  /** Does work on the file, whose failure ends the transcript. */
  #orEnd<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      this.#cast?.close();
      this.#cast = undefined;
      this.#pending = '';
      const reason = messageOf(error);
      this.#parts.onEnd(`the transcript cannot be written: ${reason}`);
      return undefined;
    }
  }
}

function endsInHalf(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
}

function* pieces(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    let end = Math.min(at + MAX_EVENT_LENGTH, text.length);
    if (end < text.length && endsInHalf(text.slice(at, end))) end -= 1;
    yield text.slice(at, end);
    at = end;
  }
}

/** As a shell would say it. */
function exitStatus({ code, signal }: Pick<ProgramExit, 'code' | 'signal'>): number {
  const signals: Readonly<Record<string, number>> = constants.signals;
  return code ?? 128 + (signals[signal ?? ''] ?? 0);
}
