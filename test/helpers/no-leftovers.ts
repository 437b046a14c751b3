import { randomUUID } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';

const mark = 'CLIFFORD_TEST_RUN';

/**
 * Fails a test run that leaves processes behind, where there is a `/proc` to find them in.
 *
 * They are known by a variable they inherited: one that was started with an environment of its own goes unseen.
 */
export function setup(): () => Promise<void> {
  const run = `${mark}=${randomUUID()}`;
  process.env[mark] = run.slice(mark.length + 1);

  return async () => {
    const left: string[] = [];
    for await (const file of glob('/proc/[0-9]*/environ')) {
      const folder = file.slice(0, -'/environ'.length);
      const environment = await readIfAlive(file);
      if (!environment.split('\0').includes(run)) continue;
      const command = (await readIfAlive(`${folder}/cmdline`)).replaceAll('\0', ' ').trim();
      // Vitest's own helpers end after this (one is titled vitest-watchdog); what has no command line is ending.
      if (command !== '' && !/^vitest-|node_modules\/vitest\//.test(command))
        left.push(`${folder.slice(6)}: ${command}`);
    }
    if (left.length > 0) throw new Error(`Tests left processes behind:\n${left.join('\n')}`);
  };
}

/** The text of a file of /proc, or nothing when its process is gone or not ours. */
async function readIfAlive(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    return '';
  }
}
