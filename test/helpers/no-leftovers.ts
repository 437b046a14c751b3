import { randomUUID } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

const mark = 'CLIFFORD_TEST_RUN';

/** How long processes may take to end after the last test, in ms. */
const PATIENCE_MS = 10_000;

/**
 * Fails a test run that leaves processes behind, where there is a `/proc` to find them in.
 *
 * They are known by a variable they inherited: one that was started with an environment of its own goes unseen.
 */
export function setup(): () => Promise<void> {
  const run = `${mark}=${randomUUID()}`;
  process.env[mark] = run.slice(mark.length + 1);

  return async () => {
    // What was told to end may need a moment for it on a loaded machine.
    const deadline = performance.now() + PATIENCE_MS;
    let left = await leftovers(run);
    while (left.length > 0 && performance.now() < deadline) {
      await pause(100);
      left = await leftovers(run);
    }
    if (left.length > 0) throw new Error(`Tests left processes behind:\n${left.join('\n')}`);
  };
}

async function leftovers(run: string): Promise<string[]> {
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
  return left;
}

/** The text of a file of /proc, or nothing when its process is gone or not ours. */
async function readIfAlive(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    return '';
  }
}
