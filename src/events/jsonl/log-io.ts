import { fdatasync, fdatasyncSync, writeSync } from 'node:fs';

/** The two calls that decide what is on disk. Injectable, so that tests can make them fail. */
export type LogIo = {
  /** Appends `bytes` to an `O_APPEND` file and returns how many were written. Runs under the lock. */
  write(fd: number, bytes: Uint8Array): number;
  /** Resolves when everything written to the file so far is on disk. */
  sync(fd: number): Promise<void>;
};

/**
 * On a disk whose last sync took less than this, in ms, the next is made in place: a trip through the
 * thread pool would cost as much again, and the event loop stands still no longer than for the lines.
 */
const IN_PLACE_MS = 1;

/** The real thing, for one log: it remembers how long the disk took. */
export function kernelIo(): LogIo {
  let lastSyncMs = Infinity;
  return {
    write: (fd, bytes) => writeSync(fd, bytes),

    async sync(fd) {
      const start = performance.now();
      if (lastSyncMs < IN_PLACE_MS) fdatasyncSync(fd);
      else await syncInPool(fd);
      lastSyncMs = performance.now() - start;
    },
  };
}

/** The callback form: `datasync` of a `FileHandle` costs a second promise per append. */
function syncInPool(fd: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fdatasync(fd, (error) => (error ? reject(error) : resolve()));
  });
}
