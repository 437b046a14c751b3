import { join } from 'node:path';
import { Low } from 'lowdb';
import { CliffordError } from '../../errors.ts';
import { streamOf } from '../../events/envelope.ts';
import type { StoredEvent } from '../../events/envelope.ts';
import type { ProjectState } from '../../machines/project-state.ts';
import { KeyedQueue } from '../../lib/processes/keyed-queue.ts';
import { JsonFile } from './json-file.ts';
import { withStatuses } from './manifest-status.ts';
import { insideRoot } from '../../lib/files/inside-root.ts';
import { withMemories } from './memory.ts';
import { withRules } from './policy-file.ts';
import { underProjectionLock } from './projection-lock.ts';
import { unwritable } from './unwritable.ts';

/** What the projections need of a project. */
type Source = { root: string; dir: string; refresh: () => Promise<ProjectState> };

/** What changed in a stream since its files were written, and their writing. */
type Due = { statuses: boolean; memories: boolean; rules: boolean; readonly written: Promise<void> };

/**
 * Brings the files that follow the log up to date with it: the statuses in `manifest.json`,
 * `.clifford/memory.json` and `.clifford/policy.json`. They are written from the newest state under a lock of their own, so
 * that of several writers the last one writes the newest.
 */
export class Projections {
  readonly #project: Source;
  readonly #due = new Map<string, Due>();
  readonly #turns = new KeyedQueue();

  constructor(project: Source) {
    this.#project = project;
  }

  /**
   * Writes what these events of one stream change. What comes while the files are being written is
   * written at once after that: a hundred questions are not a hundred waits for the lock.
   *
   * @throws {CliffordError} `PROJECTION_UNWRITABLE`; the events stand in the log all the same.
   */
  async write(events: readonly StoredEvent[]): Promise<void> {
    const statuses = events.some(({ type }) => /^(sprint|task)\./.test(type) || isRequest(type));
    const memories = events.some(({ type }) => type === 'task.blocked' || isRequest(type));
    const [first] = events;
    const rules = events.some(({ type }) => changesRules(type));
    if (!first || !(statuses || rules)) return;
    const stream = streamOf(first.subject);
    const due = this.#due.get(stream) ?? {
      statuses,
      memories,
      rules,
      written: this.#turns.take('projections', () => this.#write(stream)),
    };
    due.statuses ||= statuses;
    due.memories ||= memories;
    due.rules ||= rules;
    this.#due.set(stream, due);
    await due.written;
  }

  async #write(stream: string): Promise<void> {
    const { root, dir, refresh } = this.#project;
    const due = this.#due.get(stream);
    this.#due.delete(stream);
    await underProjectionLock({ dir, name: 'projections' }, async () => {
      const state = await refresh();
      if (due?.statuses) await writeManifest(root, state, stream);
      if (due?.memories) await writeMemory(dir, state, stream);
      if (due?.rules) await writeRules(dir, state);
    });
  }
}

function isRequest(type: string): boolean {
  return type === 'help.requested' || type === 'help.answered' || type === 'help.dismissed';
}

/** With the end of a sprint, what was allowed for it ends. */
function changesRules(type: string): boolean {
  return type.startsWith('policy.') || type === 'sprint.completed' || type === 'sprint.cancelled';
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
  const path = await insideOrNone(root, sprint.manifest);
  if (path !== undefined) await follow(path, (before) => withStatuses(before, sprint));
}

/** A link stays one: what it leads to is written. Outside of the project nothing is: `undefined`. */
async function insideOrNone(root: string, path: string): Promise<string | undefined> {
  try {
    return await insideRoot(root, path);
  } catch (error) {
    if (error instanceof CliffordError && error.code === 'OUTSIDE_PROJECT') return undefined;
    throw unwritable(join(root, path), error instanceof CliffordError ? error.message : error);
  }
}

async function writeMemory(dir: string, state: ProjectState, stream: string): Promise<void> {
  await follow(join(dir, 'memory.json'), (before) => withMemories(before, state, stream));
}

async function writeRules(dir: string, state: ProjectState): Promise<void> {
  await follow(join(dir, 'policy.json'), (before) => withRules(before, state));
}
