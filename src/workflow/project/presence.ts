import { statSync } from 'node:fs';
import { join } from 'node:path';
import { writeOwn } from '../../lib/files/write-own.ts';

/** So often at most it is written down that somebody is there, in ms. */
const EVERY_MS = 2_000;

/** The file whose time says when somebody used a screen, or a page, of the project last. `dir`: the project's `.clifford`. */
function presenceFile(dir: string): string {
  return join(dir, 'cache', 'looked');
}

/**
 * Tells whoever calls people, in whatever process, that somebody is in front of a screen of the project. A file that cannot
 * be written costs a call too many.
 */
export class Presence {
  readonly #dir: string;
  #saidAt = -Infinity;

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Somebody is there now. */
  mark(): void {
    const now = performance.now();
    if (now - this.#saidAt < EVERY_MS) return;
    this.#saidAt = now;
    writeOwn(this.#dir, presenceFile(this.#dir), '').catch(() => undefined);
  }
}

/** When somebody was in front of a screen of the project last, ms since the epoch; `undefined`: nobody knows. */
export function lastPresence(dir: string): number | undefined {
  try {
    return statSync(presenceFile(dir), { throwIfNoEntry: false })?.mtimeMs;
  } catch {
    // Nobody knows.
    return undefined;
  }
}
