import { join } from 'node:path';
import { Low } from 'lowdb';
import { withLock } from '../../events/kernel-lock.ts';
import { streamOf } from '../../events/envelope.ts';
import type { StoredEvent } from '../../events/envelope.ts';
import type { ProjectState } from '../../machines/project-state.ts';
import { JsonFile } from './json-file.ts';
import { withStatuses } from './manifest-status.ts';
import { withMemories } from './memory.ts';
import { unwritable } from './unwritable.ts';

/** What the projections need of a project. */
type Source = { root: string; dir: string; refresh: () => Promise<ProjectState> };

/**
 * Brings the files that follow the log up to date with it: the statuses in `manifest.json`, and
 * `.clifford/memory.json`. They are written from the newest state under a lock of their own, so
 * that of several writers the last one writes the newest.
 *
 * @throws {CliffordError} `PROJECTION_UNWRITABLE`; the events stand in the log all the same.
 */
export async function writeProjections(project: Source, events: readonly StoredEvent[]): Promise<void> {
  const statuses = events.some(({ type }) => /^(sprint|task)\./.test(type) || isRequest(type));
  const memories = events.some(({ type }) => type === 'task.blocked' || isRequest(type));
  const [first] = events;
  if (!first || !statuses) return;
  const stream = streamOf(first.subject);
  await withLock(join(project.dir, 'locks', 'projections.lock'), async () => {
    const state = await project.refresh();
    await writeManifest(project.root, state, stream);
    if (memories) await writeMemory(project.dir, state, stream);
  });
}

function isRequest(type: string): boolean {
  return type === 'help.requested' || type === 'help.answered' || type === 'help.dismissed';
}

/** Writes one file. @throws {CliffordError} `PROJECTION_UNWRITABLE` when the disk does not let us. */
async function follow(path: string, next: (before: unknown) => unknown): Promise<void> {
  const file = new Low<unknown>(new JsonFile(path), null);
  try {
    await file.read();
    const data = next(file.data);
    if (data === undefined) return;
    file.data = data;
    await file.write();
  } catch (cause) {
    throw unwritable(path, cause);
  }
}

async function writeManifest(root: string, state: ProjectState, stream: string): Promise<void> {
  const sprint = state.streams.get(stream);
  if (sprint?.manifest === undefined) return;
  await follow(join(root, sprint.manifest), (before) => withStatuses(before, sprint));
}

async function writeMemory(dir: string, state: ProjectState, stream: string): Promise<void> {
  await follow(join(dir, 'memory.json'), (before) => withMemories(before, state, stream));
}
