import { z } from 'zod';
import type { SprintState } from '../../machines/project-state.ts';
import type { TaskState } from '../../machines/task-state.ts';
import { nameOf, wordOf } from '../../machines/status-words.ts';
import type { ManifestStatus } from '../../machines/manifest-words.ts';

/** What the projection needs to find in the file; everything else passes through as it is. */
const writable = z.looseObject({ tasks: z.array(z.looseObject({ id: z.unknown() })) });

/** A manifest with the statuses the log says, or `undefined` when it is none that could take them. */
export function withStatuses(manifest: unknown, sprint: SprintState): unknown {
  if (!writable.safeParse(manifest).success) return undefined;
  // Not the parsed copy: zod would reorder the keys of a file that people read.
  const file = manifest as { status?: unknown; tasks: { id: unknown; status?: unknown }[] };
  return {
    ...file,
    status: keepPushed(file.status, statusOf(sprint)),
    tasks: file.tasks.map((entry) => {
      const task = sprint.tasks.get(String(entry.id));
      return task ? { ...entry, status: keepPushed(entry.status, statusOf(task)) } : entry;
    }),
  };
}

/** The manifest's word for a state: what failed, was cancelled or skipped reads `blocked`. */
export function statusOf({ machine: { value } }: SprintState | TaskState): ManifestStatus {
  const word = wordOf(value);
  if (word !== 'done') return word;
  return nameOf(value) === 'done.completed' ? 'completed' : 'blocked';
}

/** `pushed` is a later stage of completed that another program knows about. */
function keepPushed(before: unknown, now: ManifestStatus): ManifestStatus {
  return before === 'pushed' && now === 'completed' ? 'pushed' : now;
}
