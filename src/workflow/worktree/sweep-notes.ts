import { readdirSync } from 'node:fs';
import type { EventData, EventType } from '../../events/catalog.ts';
import { ifThere } from '../../lib/files/if-there.ts';
import type { ProjectState } from '../../machines/project-state.ts';
import type { Project } from '../project/project.ts';
import { noteName, notesFolder } from '../project/own-notes.ts';
import { forgetNote } from './worktree-claims.ts';

/** What says by its id, or by that of its run, what this folder may have noted. */
const NOTED: ReadonlySet<EventType> = new Set([
  'sprint.started',
  'worktree.claimed',
  'worktree.remade',
  'task.started',
]);

/**
 * Removes the notes of a sprint's worktrees and attempts that by its log are none any more: who was killed in between, or could not record
 * something, left them. What the log does not know stays, as it may be of another log. No runner may be at work on the sprint.
 */
export async function sweepNotes(
  project: Pick<Project, 'dir' | 'log' | 'state' | 'refresh'>,
  stream: string,
): Promise<void> {
  const there = new Set(ifThere(() => readdirSync(notesFolder(project)), []));
  for (const id of currentIds(project.state, stream)) there.delete(noteName(id));
  if (there.size === 0) return;
  const noted = new Set<string>();
  for await (const { events } of project.log.select({ stream, types: NOTED }))
    for (const { id, data } of events) noted.add(runOf(data) ?? id);
  // Looked at after those events: what is current now is current since then, or has come since.
  for (const id of currentIds(await project.refresh(), stream)) noted.delete(id);
  for (const id of noted) if (there.has(noteName(id))) forgetNote(project, id);
}

/** The run, or the attempt, that an event begins; `undefined`: it is noted by its own id. */
function runOf(data: EventData): string | undefined {
  if ('run' in data) return data.run;
  return 'runId' in data ? data.runId : undefined;
}

/** What is noted of the worktrees and attempts of a sprint as they are. */
function currentIds({ streams }: ProjectState, stream: string): string[] {
  const { tasks, runner } = streams.get(stream) ?? {};
  const ofTasks = [...(tasks?.values() ?? [])].flatMap(({ worktree, agent, machine }) => [
    worktree?.claim,
    agent?.runId,
    machine.context.runId,
  ]);
  return [...ofTasks, runner?.run].filter((id) => typeof id === 'string');
}
