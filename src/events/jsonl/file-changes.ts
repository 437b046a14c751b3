import { basename, dirname, resolve } from 'node:path';
import { FolderWatch, lookAt } from '../../lib/files/folder-watch.ts';
import { AutoResetEvent } from '../../lib/time/auto-reset-event.ts';

/**
 * Tells when a file may have changed. Notifications are coalesced: a thousand writes while nobody
 * waits are one change.
 *
 * It watches the folder, since a watch on the file goes deaf when the file is renamed or replaced.
 */
export class FileChanges {
  readonly #path: string;
  readonly #watch: FolderWatch;
  #lastSeen: string;
  readonly #change = new AutoResetEvent();
  #isClosed = false;

  /** Watches from here on. */
  constructor(path: string) {
    this.#path = resolve(path);
    this.#lastSeen = stateOf(this.#path);
    this.#watch = new FolderWatch(dirname(this.#path), {
      onChange: (name) => {
        if (name === null || name === basename(this.#path)) this.#change.set();
      },
      onLook: () => this.#look(),
    });
  }

  /** Resolves `true` after a change since the last call, at once if there was one; `false` once closed. */
  async next(): Promise<boolean> {
    if (!this.#isClosed) await this.#change.wait();
    return !this.#isClosed;
  }

  /** Stops watching and ends a wait. Safe to call twice. */
  close(): void {
    this.#isClosed = true;
    this.#watch.close();
    this.#change.set();
  }

  /** Catches what no notification told. */
  #look(): void {
    const seen = stateOf(this.#path);
    if (seen !== this.#lastSeen) this.#change.set();
    this.#lastSeen = seen;
  }
}

function stateOf(path: string): string {
  const found = lookAt(path);
  return found ? `${found.dev}:${found.ino}:${found.size}:${found.mtimeNs}` : '';
}
