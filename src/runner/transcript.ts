import { appendFileSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';

/** Largest transcript of one attempt, in bytes. What an agent prints beyond is shown but not kept. */
const TRANSCRIPT_LIMIT_BYTES = 16 * 1024 * 1024;

/** Path of an attempt's transcript below the project's `.clifford/`. */
export function transcriptPath(runId: string): string {
  return `transcripts/${runId}.log`;
}

/**
 * What an agent printed, stdout and stderr as they came, appended to a file of mode 0600.
 *
 * Written at once, without a sync: a reader sees it live, a crash of this process loses nothing, a
 * power cut may. A file that cannot be written ends the transcript, not the agent.
 */
export class Transcript {
  readonly #fd: number;
  readonly #limitBytes: number;
  #bytes = 0;
  #isOpen = true;

  /** @param dir - The project's `.clifford`. */
  constructor(dir: string, runId: string, { limitBytes = TRANSCRIPT_LIMIT_BYTES } = {}) {
    mkdirSync(join(dir, 'transcripts'), { recursive: true, mode: 0o700 });
    this.#fd = openSync(join(dir, transcriptPath(runId)), 'a', 0o600);
    this.#limitBytes = limitBytes;
  }

  /** Appends a chunk. Returns why the transcript ends here, the one time that it does. */
  append(chunk: Uint8Array): string | undefined {
    if (!this.#isOpen || this.#bytes >= this.#limitBytes) return undefined;
    const kept = chunk.subarray(0, this.#limitBytes - this.#bytes);
    this.#bytes += kept.byteLength;
    try {
      appendFileSync(this.#fd, kept);
      if (kept.byteLength === chunk.byteLength) return undefined;
      const note = `the transcript ends here, at ${this.#limitBytes} bytes`;
      appendFileSync(this.#fd, `\n[${note}]\n`);
      this.#bytes = this.#limitBytes;
      return note;
    } catch (error) {
      this.close();
      return `the transcript cannot be written: ${error instanceof Error ? error.message : String(error)}`;
    }
  }

  /** Safe to call twice. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    closeSync(this.#fd);
  }
}
