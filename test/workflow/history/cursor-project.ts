import { onTestFinished } from 'vitest';
import type { StoredEvent } from '../../../src/events/envelope.ts';
import type { EventLog } from '../../../src/events/log/event-log.ts';
import { applyEvent } from '../../../src/machines/fold.ts';
import { pinsToSnapshot, toSnapshot } from '../../../src/machines/project-snapshot.ts';
import { createProjectState } from '../../../src/machines/project-state.ts';
import type { ProjectState } from '../../../src/machines/project-state.ts';
import { openCursor } from '../../../src/workflow/history/history-cursor.ts';
import type { CursorOptions, HistoryCursor } from '../../../src/workflow/history/history-cursor.ts';
import { openProject } from '../../../src/workflow/project/project.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { MemoryStore, openMemoryLog } from '../../events/log/memory-log.ts';
import { tempRoot } from '../../helpers/temp-project.ts';

/** A project over a log in memory, and another handle of that log. */
export async function memoryProject(batchEvents = 2): Promise<{ project: Project; log: EventLog }> {
  const store = new MemoryStore();
  const open = () => openMemoryLog(store, { batchEvents });
  const project = await openProject({
    root: await tempRoot(),
    source: '/clifford/cli',
    env: {},
    openLog: open,
  });
  onTestFinished(() => project.close());
  return { project, log: await open() };
}

/** A cursor that is closed when the test is finished. */
export async function cursorIn(
  project: Project,
  options: CursorOptions & { stream?: string } = {},
): Promise<HistoryCursor> {
  const cursor = await openCursor(project, options.stream ?? 'demo', options);
  onTestFinished(() => cursor.close());
  return cursor;
}

/** All that a state says, to compare. */
export function saidBy({ streams, pins, ...state }: ProjectState): unknown {
  return JSON.parse(
    JSON.stringify({ ...state, streams: streams.values().map(toSnapshot), pins: pinsToSnapshot(pins) }),
  );
}

/** What a state says that is folded from nothing. */
export function foldedFrom(events: readonly StoredEvent[]): unknown {
  const state = createProjectState();
  for (const event of events) applyEvent(state, event);
  return saidBy(state);
}
