import { CliffordError } from '../../errors.ts';
import type { StoredEvent } from '../../events/envelope.ts';
import { applyEvent } from '../../machines/fold.ts';
import { createProjectState } from '../../machines/project-state.ts';
import type { ProjectState } from '../../machines/project-state.ts';
import type { Project } from '../../workflow/project/project.ts';

/** Where a replay ends: after a version of its stream, or after the last event until a time. */
export type Until = { readonly version: number } | { readonly time: string };

/**
 * Reads `--until`.
 *
 * @throws {CliffordError} `UNTIL_INVALID` for neither a version nor a time.
 */
export function parseUntil(text: string): Until {
  if (/^[1-9]\d*$/.test(text)) return { version: Number(text) };
  const time = new Date(text);
  // Date takes many spellings; only one that begins with the year means the same to everyone.
  if (/^\d{4}-/.test(text) && !Number.isNaN(time.getTime())) return { time: time.toISOString() };
  throw new CliffordError(`Cannot replay until ${text}: it is neither a version nor a time`, {
    code: 'UNTIL_INVALID',
    fix: 'Give a number, e.g. --until 12, or a time, e.g. --until 2026-03-01T12:00:00Z',
    recovery: 'fix-input',
  });
}

/** One event of a stream's history, and the state it led to (the same object each time). */
export type Moment = { readonly event: StoredEvent; readonly state: ProjectState };

/** A stream's history from its first event, folded from nothing. */
export async function* historyOf(project: Project, stream: string, until?: Until): AsyncGenerator<Moment> {
  const state = createProjectState();
  const toVersion = until && 'version' in until ? { toVersion: until.version } : {};
  for await (const { events } of project.log.read({ stream, ...toVersion })) {
    for (const event of events) {
      if (until && 'time' in until && event.time > until.time) return;
      applyEvent(state, event);
      yield { event, state };
    }
  }
}
