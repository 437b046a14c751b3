import { fdatasync, writeSync } from 'node:fs';

/** The two calls that decide what is on disk. Injectable, so that tests can make them fail. */
export type LogIo = {
  /** Appends `bytes` to an `O_APPEND` file and returns how many were written. Runs under the lock. */
  write(fd: number, bytes: Uint8Array): number;
  /** Resolves when everything written to the file so far is on disk. */
  sync(fd: number): Promise<void>;
};

/** The real thing. */
export const kernelIo: LogIo = {
  write: (fd, bytes) => writeSync(fd, bytes),
  // The callback form: a FileHandle's datasync costs a second promise per append.
  sync: (fd) =>
    new Promise((resolve, reject) => {
      fdatasync(fd, (error) => (error ? reject(error) : resolve()));
    }),
};
