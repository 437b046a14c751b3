import { statSync, watch } from 'node:fs';
import type { BigIntStats, FSWatcher } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';

/** How often to look for what was not notified, in ms. */
const FALLBACK_MS = 1_000;

/**
 * Tells when a file may have changed. Notifications are coalesced: a thousand writes while nobody
 * waits are one change.
 *
 * It watches the folder, since a watch on the file goes deaf when the file is renamed or replaced;
 * where there is no folder yet, the nearest one above. File systems without notification, and systems
 * that have run out of watches, are looked at once a second.
 */
export class FileChanges {
  readonly #path: string;
  readonly #folder: string;
  readonly #timer: NodeJS.Timeout;
  #watcher: FSWatcher | undefined;
  /** The folder under watch, and which one that was: it can be replaced too. */
  #watched = { folder: '', identity: '' };
  #lastSeen: string;
  #hasChanged = false;
  #isClosed = false;
  #wake: (() => void) | undefined;

  /** Watches from here on. */
  constructor(path: string) {
    this.#path = resolve(path);
    this.#folder = dirname(this.#path);
    this.#lastSeen = stateOf(this.#path);
    this.#timer = setInterval(() => this.#look(), FALLBACK_MS);
    this.#watch();
  }

  /** Resolves `true` after a change since the last call, at once if there was one; `false` once closed. */
  async next(): Promise<boolean> {
    if (!this.#hasChanged && !this.#isClosed) {
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
    }
    this.#hasChanged = false;
    return !this.#isClosed;
  }

  /** Stops watching and ends a wait. Safe to call twice. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#unwatch();
    this.#wake?.();
  }

  #changed(): void {
    this.#hasChanged = true;
    this.#wake?.();
    this.#wake = undefined;
  }

  #notified(name: string | null): void {
    const { folder } = this.#watched;
    if (folder === this.#folder && (name === null || name === basename(this.#path))) this.#changed();
    // Something on the way to the file came or went, perhaps the folder under watch itself.
    else if (folder !== this.#folder || name === basename(folder)) this.#watchAnew();
  }

  /** Catches what no notification told. */
  #look(): void {
    this.#watchAnew();
    const seen = stateOf(this.#path);
    if (seen !== this.#lastSeen) this.#changed();
    this.#lastSeen = seen;
  }

  #watchAnew(): void {
    const folder = nearestFolder(this.#folder);
    const { folder: watched, identity } = this.#watched;
    if (this.#watcher && folder === watched && identityOf(folder) === identity) return;
    this.#watch();
    this.#changed();
  }

  #watch(): void {
    this.#unwatch();
    for (let folder = nearestFolder(this.#folder); folder !== this.#watched.folder;) {
      this.#unwatch();
      this.#watched = { folder, identity: identityOf(folder) };
      this.#watcher = this.#open(folder);
      // What is missing above may have been made before the watch began.
      folder = nearestFolder(this.#folder);
    }
    // A watcher keeps the process alive while somebody follows. Without one the timer has to.
    if (this.#watcher) this.#timer.unref();
    else this.#timer.ref();
  }

  #open(folder: string): FSWatcher | undefined {
    try {
      const watcher = watch(folder, (_event, name) => this.#notified(name));
      watcher.on('error', () => this.#watch());
      return watcher;
    } catch {
      // No watch left, no notification here, or the folder is gone: the timer finds what changes.
      return undefined;
    }
  }

  #unwatch(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
    this.#watched = { folder: '', identity: '' };
  }
}

function nearestFolder(folder: string): string {
  let nearest = folder;
  while (identityOf(nearest) === '' && dirname(nearest) !== nearest) nearest = dirname(nearest);
  return nearest;
}

/** Which file a path names; `''` when there is none, or none that can be looked at. */
function identityOf(path: string): string {
  const found = lookAt(path);
  return found ? `${found.dev}:${found.ino}` : '';
}

function stateOf(path: string): string {
  const found = lookAt(path);
  return found ? `${found.dev}:${found.ino}:${found.size}:${found.mtimeNs}` : '';
}

function lookAt(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    // A folder we may not enter, or a file where a folder should be: as if it were not there.
    return undefined;
  }
}
