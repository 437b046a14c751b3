import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { EventLog } from '../../../src/events/log/event-log.ts';
import { openJsonlLog } from '../../../src/events/jsonl/jsonl-log.ts';
import type { JsonlLogOptions } from '../../../src/events/jsonl/jsonl-log.ts';

/** Where a log would be, in a folder of its own that is removed when the test is finished. */
export async function tempLogPath(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'clifford-log-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return join(root, '.clifford', 'events.jsonl');
}

/** Opens a log, as another process would, and closes it when the test is finished. */
export async function openTestLog(path: string, options?: JsonlLogOptions): Promise<EventLog> {
  const log = await openJsonlLog(path, options);
  onTestFinished(() => log.close());
  return log;
}

/** The complete lines of a file, without their newlines. */
export async function linesOf(path: string): Promise<string[]> {
  return (await readFile(path, 'utf8')).split('\n').slice(0, -1);
}
