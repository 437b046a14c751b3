import { existsSync } from 'node:fs';
import type { EventType } from '../../events/catalog.ts';
import type { Project } from '../project/project.ts';
import { claimsFolder, forgetNote } from './worktree-claims.ts';

/** What says by its id, or by that of its run, what this folder may have noted. */
const NOTED: ReadonlySet<EventType> = new Set(['worktree.claimed', 'worktree.remade', 'task.started']);

/**
 * Removes the notes of a sprint's worktrees and attempts that by its log are none any more: who was killed in between, or could not record
 * something, left them. What the log does not know stays, as it may be of another log. No runner may be at work on the sprint.
 */
export async function sweepNotes(
  project: Pick<Project, 'dir' | 'log' | 'refresh'>,
  stream: string,
): Promise<void> {
  if (!existsSync(claimsFolder(project))) return;
  const noted = new Set<string>();
  for await (const { events } of project.log.select({ stream, types: NOTED }))
    for (const { id, type, data } of events) {
      if (type !== 'task.started') noted.add(id);
      else if ('runId' in data && data.runId !== undefined) noted.add(data.runId);
    }
  // Looked at after those events: what is current now is current since then, or has come since.
  const tasks = (await project.refresh()).streams.get(stream)?.tasks.values() ?? [];
  for (const { worktree, agent, machine } of tasks)
    for (const id of [worktree?.claim, agent?.runId, machine.context.runId])
      if (typeof id === 'string') noted.delete(id);
  for (const id of noted) forgetNote(project, id);
}
