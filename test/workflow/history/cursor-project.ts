import { onTestFinished } from 'vitest';
import type { EventLog } from '../../../src/events/log/event-log.ts';
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
