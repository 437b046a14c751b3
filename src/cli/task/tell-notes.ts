import type { Project } from '../../workflow/project/project.ts';
import { deliveredNotes, returnedNotes, takeNotes } from '../../workflow/notes/deliver-notes.ts';
import { noteText } from '../../workflow/notes/note-text.ts';
import type { Cli } from '../cli.ts';

/** The run of an attempt, and its task. */
type Attempt = { readonly stream: string; readonly taskId: string; readonly runId: string | undefined };

/**
 * Tells the agent in whose shell this is what notes wait for it, on stderr. Returns whether there were any; never where
 * nobody's attempt is at work.
 */
export async function tellNotes(
  cli: Pick<Cli, 'deliver'>,
  project: Project,
  { runId, ...about }: Attempt,
): Promise<boolean> {
  const task = project.state.streams.get(about.stream)?.tasks.get(about.taskId);
  if (runId === undefined || task?.machine.context.runId !== runId) return false;
  const place = { ...about, to: runId };
  const notes = await takeNotes(project, place, 'call');
  if (notes.length === 0) return false;
  const isRead = await cli.deliver(noteText(notes), 'stderr');
  await project.record(
    about.stream,
    isRead
      ? deliveredNotes(notes, place, 'call')
      : returnedNotes(notes, place, 'nobody read what the command printed'),
  );
  return true;
}
