import { readdirSync } from 'node:fs';
import type { EventData, EventType } from '../../events/catalog.ts';
import { streamOf } from '../../events/envelope.ts';
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
 * Removes the notes of worktrees, attempts and runs that by the log are none any more: who was killed in between, could not record
 * something, or was followed by another machine, left them. What the log does not know stays, as it may be of another log. What a runner that
 * is at work has noted, and not said yet, is no event of the log so far.
 *
 * @param stream - Of one sprint; `undefined`: of all, with one look at the whole log.
 */
export async function sweepNotes(
  project: Pick<Project, 'dir' | 'log' | 'state' | 'refresh'>,
  stream?: string,
): Promise<void> {
  const there = new Set(ifThere(() => readdirSync(notesFolder(project)), []));
  const drop = (state: ProjectState, from: Set<string>, nameOf = (id: string) => id) => {
    for (const each of stream === undefined ? state.streams.keys() : [stream])
      for (const id of currentIds(state, each)) from.delete(nameOf(id));
  };
  drop(project.state, there, noteName);
  if (there.size === 0) return;
  const { log } = project;
  const noted = new Set<string>();
  for await (const { events } of stream === undefined ? log.read() : log.select({ stream }))
    for (const { id, type, subject, data } of events) {
      const isOfIt = stream === undefined || streamOf(subject) === stream;
      if (isOfIt && NOTED.has(type)) noted.add(runOf(data) ?? id);
    }
  // Looked at after those events: what is current now is current since then, or has come since.
  drop(await project.refresh(), noted);
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
