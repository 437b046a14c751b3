import { closeSync, fdatasyncSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { unlock, waitForLockSync } from 'fs-native-extensions';
import { runWriter } from './writer-protocol.ts';

/** A writing process that does nothing but what a durable append among several needs of the system. */
await runWriter(({ path }) => {
  mkdirSync(dirname(path), { recursive: true });
  const fd = openSync(path, 'a+');
  return Promise.resolve({
    write: (event) => {
      const bytes = Buffer.from(`${JSON.stringify(event)}\n`);
      waitForLockSync(fd);
      try {
        writeSync(fd, bytes);
      } finally {
        unlock(fd);
      }
      fdatasyncSync(fd);
      return Promise.resolve();
    },
    close: () => Promise.resolve(closeSync(fd)),
  });
});
