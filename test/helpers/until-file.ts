import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { codeOf } from '../../src/lib/system-error.ts';

/** Waits until there is a file, and reads it. Its writer has to make it at once, by a rename. */
export async function untilFile(path: string): Promise<string> {
  for (;;) {
    try {
      return await readFile(path, 'utf8');
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
      await pause(10);
    }
  }
}
