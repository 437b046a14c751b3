import { accessSync, closeSync, constants, fsyncSync, watch } from 'node:fs';
import { rm, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { lockFile } from '../../workflow/project/lock-file.ts';
import { CliffordError } from '../../errors.ts';
import { readLog } from '../../events/jsonl/read-log.ts';
import { findTornTail } from '../../events/jsonl/tail.ts';
import { createSprintState } from '../../machines/project-state.ts';
import { makeOwnFolder } from '../../lib/files/own-folder.ts';
import { openPlainFile, writeAll, writeNewFile } from '../../lib/files/plain-file.ts';
import { tryHold } from '../../lib/files/kernel-lock.ts';
import { chosenProjectLog } from '../../workflow/project/chosen-project-log.ts';
import { logFile, type OpenLog } from '../../workflow/project/project-log.ts';
import { filesBehindLog } from '../../workflow/projections/behind-log.ts';
import { loadSnapshot, type Folded } from '../../workflow/project/snapshot-cache.ts';
import { isMissing, systemCodeOf } from '../../lib/system-error.ts';
import { count } from '../../lib/text/count.ts';
import { duration } from '../../lib/time/duration.ts';
import { onProject } from '../project/on-project.ts';
import { behindText } from '../text/behind-text.ts';
import { broken, brokenBy, good, warning, type Check, type DoctorContext } from './check.ts';

const { O_WRONLY, O_CREAT, O_EXCL, W_OK } = constants;

/** Less free space than this is soon none, in bytes: transcripts grow. */
const LITTLE_SPACE = 500_000_000;

/** How long a file notification may take, in ms. */
const NOTICE_MS = 1_000;

/** How long the log is read, in ms: for a longer one there is `replay --verify`. */
const READ_MS = 5_000;

/** Whether `.clifford/` can hold what Clifford has to remember. Leaves nothing there. */
export async function checkDisk(stateDir: string): Promise<Check[]> {
  try {
    const folder = lockFile(stateDir, `doctor-${uuidv7()}`);
    makeOwnFolder(dirname(folder));
    makeOwnFolder(folder);
    try {
      return [await checkSpace(folder), checkWrite(folder), checkLock(folder), await checkNotice(folder)];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  } catch (error) {
    if (error instanceof CliffordError) return [brokenBy('disk', error)];
    const text = `${stateDir} cannot be written: the system says ${systemCodeOf(error)}`;
    return [broken('disk', text, 'Make it writable for this user')];
  }
}

async function checkSpace(folder: string): Promise<Check> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const text = `${(free / 1e9).toFixed(1)} GB free`;
  const facts = { freeBytes: free };
  return free < LITTLE_SPACE
    ? warning('space', text, 'Free disk space: transcripts and the log grow', facts)
    : good('space', text, facts);
}

function checkWrite(folder: string): Check {
  const startedAt = performance.now();
  const fd = openPlainFile(join(folder, 'written'), O_WRONLY | O_CREAT | O_EXCL, 0o600);
  try {
    writeAll(fd, 'x'.repeat(4_096));
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  const tookMs = performance.now() - startedAt;
  const text = `a write is on disk after ${tookMs < 10 ? tookMs.toFixed(1) : Math.round(tookMs)} ms`;
  return good('disk', text, { writeMs: tookMs });
}

function checkLock(folder: string): Check {
  const path = join(folder, 'lock');
  const lock = tryHold(path);
  const second = tryHold(path);
  second?.release();
  lock?.release();
  if (lock && !second) return good('lock', 'kernel locks work');
  const fix = 'Put the project on a local disk: several processes write its log';
  return broken('lock', 'kernel locks do not work on this file system', fix);
}

async function checkNotice(folder: string): Promise<Check> {
  const startedAt = performance.now();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const limit = setTimeout(() => resolve(false), NOTICE_MS);
  const watcher = watch(folder, (_event, name) => {
    if (name === null || name === 'noticed') resolve(true);
  });
  watcher.on('error', () => resolve(false));
  try {
    writeNewFile(join(folder, 'noticed'), '', 0o600);
    if (await promise) {
      const tookMs = Math.ceil(performance.now() - startedAt);
      return good('notification', `file changes are reported within ${tookMs} ms`);
    }
  } finally {
    clearTimeout(limit);
    watcher.close();
  }
  const text = 'file changes are not reported: answers and screens lag by up to a second';
  return warning('notification', text, 'Put the project on a local disk');
}

/** Whether the log can be read, as far as time allows, and how it ends. */
export async function checkLog(context: DoctorContext, stateDir: string): Promise<Check> {
  const name = 'log';
  let what = 'log';
  let isMirror = false;
  try {
    const chosen = await chosenProjectLog(context);
    if (chosen.served !== undefined) return await checkServedLog(chosen.served, chosen.open, stateDir);
    if (chosen.mirror) {
      const { of, at } = chosen.mirror;
      isMirror = true;
      what = `mirror of ${of}, ${at === null ? 'which is not complete' : `as of ${at}`},`;
    }
  } catch (error) {
    return brokenBy(name, error);
  }
  const file = logFile(stateDir);
  try {
    const { size } = await stat(file);
    const read = await readFor(file, READ_MS);
    const tail = findTornTail(file);
    const snapshot = snapshotOf(stateDir);
    const how = read.isWhole
      ? 'schemas and chain hold'
      : `schemas and chain hold as far as ${duration(READ_MS)} went, and since the last snapshot`;
    const text = `${what} of ${count(read.events, 'event')}, ${(size / 1e6).toFixed(1)} MB: ${how}; ${snapshot ? 'a' : 'no'} snapshot`;
    const facts = { ...read, bytes: size, hasSnapshot: snapshot !== undefined, tornBytes: tail?.bytes ?? 0 };
    const torn = tail ? `; ${tail.bytes} bytes at its end are a write that was cut short` : '';
    const refused = isMirror ? undefined : whyUnwritable(file);
    if (refused !== undefined) {
      const ends = `${text}${torn}; but it cannot be written: the system says ${refused}`;
      return broken(name, ends, `Make ${file} writable for this user`, facts);
    }
    if (!tail) return good(name, text, facts);
    return warning(name, text + torn, 'Nothing: the next event moves them to quarantine', facts);
  } catch (error) {
    if (error instanceof CliffordError) return brokenBy(name, error);
    if (isMissing(error)) return good(name, 'no log yet: nothing has happened');
    const text = `${file} cannot be read: the system says ${systemCodeOf(error)}`;
    return broken(name, text, 'Make it readable for this user');
  }

  async function readFor(path: string, limitMs: number): Promise<{ events: number; isWhole: boolean }> {
    let deadline = performance.now() + limitMs;
    let events = 0;
    for await (const batch of readLog(path, {})) {
      events += batch.events.length;
      if (performance.now() < deadline) continue;
      if (await holdsSinceSnapshot(path)) return { events, isWhole: false };
      // Either the log is damaged, or the snapshot is not of it: only the whole log says which.
      deadline = Infinity;
    }
    return { events, isWhole: true };
  }

  async function holdsSinceSnapshot(path: string): Promise<boolean> {
    const after = snapshotOf(stateDir)?.checkpoint;
    if (!after) return true;
    const batches = readLog(path, { after });
    try {
      for (;;) if ((await batches.next()).done) return true;
    } catch (error) {
      if (error instanceof CliffordError) return false;
      throw error;
    }
  }
}

function whyUnwritable(file: string): string | undefined {
  try {
    accessSync(file, W_OK);
    return undefined;
  } catch (error) {
    return systemCodeOf(error);
  }
}

/** Whether a log on a server can be read, as far as time allows. */
async function checkServedLog(served: string, open: OpenLog, dir: string): Promise<Check> {
  const log = await open({ dir, redact: (_type, data) => data });
  try {
    const deadline = performance.now() + READ_MS;
    let events = 0;
    let isWhole = true;
    for await (const batch of log.read()) {
      events += batch.events.length;
      isWhole = performance.now() < deadline;
      if (!isWhole) break;
    }
    const how = isWhole
      ? 'schemas and chain hold'
      : `schemas and chain hold as far as ${duration(READ_MS)} went`;
    return good('log', `log of ${count(events, 'event')} at ${served}: ${how}`, { served, events, isWhole });
  } finally {
    await log.close();
  }
}

/** Whether the next opening of a log on a server reads only what came after a snapshot of it. */
export async function checkServedSnapshot(context: DoctorContext, stateDir: string): Promise<Check> {
  const name = 'snapshot';
  const { open, snapshot } = await chosenProjectLog(context);
  const after = loadSnapshot(join(stateDir, 'cache', snapshot), createSprintState)?.checkpoint;
  if (!after)
    return good(name, 'no snapshot of it on this machine yet: opening reads all of it', { events: 0 });
  const log = await open({ dir: stateDir, redact: (_type, data) => data });
  try {
    let since = 0;
    for await (const { events } of log.read({ after })) since += events.length;
    const text = `a snapshot of its first ${count(after.events, 'event')} on this machine: opening reads ${count(since, 'event')}`;
    return good(name, text, { events: after.events, since });
  } catch (error) {
    return brokenBy(name, error);
  } finally {
    await log.close();
  }
}

/** Only whether there is one, and up to where: what it says is not asked for. */
function snapshotOf(stateDir: string): Folded | undefined {
  return loadSnapshot(join(stateDir, 'cache', 'state.json'), createSprintState);
}

/** The files that follow the log and do not say what it says. */
export async function checkProjections(context: DoctorContext): Promise<Check[]> {
  if (context.stateDir === undefined) return [];
  const fix =
    'Mend what keeps them from being written: a broken file, or a folder that is read-only. The next decision ' +
    'about the sprint, or clifford run, brings them up to date';
  try {
    const behind = await onProject(context, context, (project) =>
      filesBehindLog(project, project.state.streams.keys()),
    );
    return behind.map((path) => warning('projections', behindText(context.root, path), fix));
  } catch (error) {
    // What is wrong with the log is told of the log.
    if (error instanceof CliffordError) return [];
    throw error;
  }
}
