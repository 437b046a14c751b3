import type { SendProgress } from '../wait/keep-alive.ts';
import { waitedText } from '../../lib/time/duration.ts';
import type { CallProgress } from '../server/call-options.ts';

/** What a sign of life adds, between two steps of the server. */
const NUDGE = 0.001;

/**
 * The progress of one call as its client sees it: first the wait for a human, then what the server says, and a sign
 * of life where the server says nothing for a while. It only ever grows, as the protocol wants it.
 */
export class ProgressRelay {
  readonly #send: SendProgress;
  readonly #everyMs: number;
  #last = 0;
  /** Where the server's own count begins. */
  #base = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `everyMs`: how long it may be silent. */
  constructor(send: SendProgress, everyMs: number) {
    this.#send = send;
    this.#everyMs = everyMs;
  }

  /** For the wait: each note is one step. */
  readonly step: SendProgress = (note) => this.#tell({ ...note, progress: this.#last + 1 });

  /** The server works from now on. Returns what ends the signs of life. */
  begin(what: string): () => void {
    this.#base = this.#last;
    const startedAt = performance.now();
    const alive = () => {
      const message = `${what} is at work ${waitedText(performance.now() - startedAt)}`;
      this.#pass({ progress: this.#last + NUDGE, message });
    };
    this.#timer = setInterval(alive, this.#everyMs).unref();
    return () => clearInterval(this.#timer);
  }

  /** What the server says. */
  readonly pass = ({ progress, total, ...rest }: CallProgress): void => {
    this.#timer?.refresh();
    this.#pass({
      progress: Math.max(this.#base + progress, this.#last === 0 ? 0 : this.#last + NUDGE),
      ...(total === undefined ? {} : { total: this.#base + total }),
      ...rest,
    });
  };

  #pass(note: CallProgress): void {
    // A connection that is broken ends the call by itself.
    this.#tell(note).catch(() => clearInterval(this.#timer));
  }

  #tell(note: CallProgress): Promise<void> {
    this.#last = note.progress;
    return this.#send(note);
  }
}
