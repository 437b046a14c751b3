import { namedTranscript } from './transcript-files.ts';
import { TranscriptIndex, type WrittenEnd } from './transcript-index.ts';

/** So many transcripts are known well, those that were asked for last. */
const MOST_TRANSCRIPTS = 12;

/** What the agents of a project had written by then. */
export class PastOutput {
  readonly #stateDir: string;
  /** The latest last. */
  readonly #indexes = new Map<string, TranscriptIndex>();

  /** @param stateDir - The project's `.clifford`. */
  constructor(stateDir: string) {
    this.#stateDir = stateDir;
  }

  /**
   * What one agent had written when an event happened: see {@link TranscriptIndex.until}. Empty, where there is no such
   * transcript.
   *
   * @param named - As the log names the transcript.
   */
  until(named: string | undefined, version: number): WrittenEnd {
    const path = namedTranscript(this.#stateDir, named);
    if (path === undefined) return { text: '', isCut: false };
    const index = this.#indexes.get(path) ?? new TranscriptIndex(path);
    this.#indexes.delete(path);
    this.#indexes.set(path, index);
    const [oldest] = this.#indexes.keys();
    if (this.#indexes.size > MOST_TRANSCRIPTS && oldest !== undefined) this.#indexes.delete(oldest);
    return index.until(version);
  }
}
