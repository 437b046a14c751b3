import { statSync, watch, type BigIntStats, type FSWatcher } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';

/** How often to look for what was not notified, in ms. */
const FALLBACK_MS = 1_000;

/** Who is told about a folder. */
export type FolderListener = {
  /**
   * Something of this name came, went or changed in the folder. `null`: anything may have, since the
   * system does not say what, or the folder itself came, went or was replaced.
   */
  readonly onChange: (name: string | null) => void;
  /** Once a second, for file systems that do not notify. */
  readonly onLook: () => void;
};

/**
 * Watches what happens in a folder. Where there is none yet, the nearest one above is watched until it
 * is there. File systems without notification, and systems that have run out of watches, are looked at
 * once a second.
 */
export class FolderWatch {
  readonly #folder: string;
  readonly #listener: FolderListener;
  readonly #timer: NodeJS.Timeout;
  #watcher: FSWatcher | undefined;
  /** The folder under watch, and which one that was: it can be replaced too. */
  #watched = { folder: '', identity: '' };

  /** Watches from here on. */
  constructor(folder: string, listener: FolderListener) {
    this.#folder = resolve(folder);
    this.#listener = listener;
    this.#timer = setInterval(() => this.#look(), FALLBACK_MS);
    this.#watch();
  }

  /** Safe to call twice. */
  close(): void {
    clearInterval(this.#timer);
    this.#unwatch();
  }

  #notified(name: string | null): void {
    const { folder } = this.#watched;
    if (folder === this.#folder) this.#listener.onChange(name);
    // Something on the way to the folder came or went, perhaps the one under watch itself.
    if (folder !== this.#folder || name === basename(folder)) this.#watchAnew();
  }

  /** Catches what no notification told. */
  #look(): void {
    this.#watchAnew();
    this.#listener.onLook();
  }

  #watchAnew(): void {
    const folder = nearestFolder(this.#folder);
    const { folder: watched, identity } = this.#watched;
    if (this.#watcher && folder === watched && identityOf(folder) === identity) return;
    this.#watch();
    this.#listener.onChange(null);
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

/** What a path names now; `undefined` when there is nothing, or nothing that can be looked at. */
export function lookAt(path: string, look: typeof statSync = statSync): BigIntStats | undefined {
  try {
    return look(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    // A folder we may not enter, or a file where a folder should be: as if it were not there.
    return undefined;
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
