import { expect, it } from 'vitest';
import type { NoteWay } from '../../../src/events/descriptors/note-events.ts';
import { deliveredNotes, returnedNotes, takeNotes } from '../../../src/workflow/notes/deliver-notes.ts';
import { heardNotes } from '../../../src/workflow/notes/refuse-unheard.ts';
import { sendNote } from '../../../src/workflow/notes/send-note.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { completeTask } from '../../../src/workflow/task/set-task-status.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { eventsOf } from '../../mcp/support/project-log.ts';
import { startAttempt } from '../../mcp/support/start-attempt.ts';

const task = { stream: 'demo', taskId: 'a' };
const place = { ...task, to: 'run-1' };
const refused = { code: 'NOTE_UNHEARD' };

/** An attempt whose agent is being told a note in one way. */
async function telling(way: NoteWay): Promise<{ project: Project; id: string; end: Ending }> {
  const { project } = await projectWithSprint();
  await startAttempt(project, 'a', 'run-1');
  const id = await send(project);
  return { project, id, end: await tell(project, way) };
}

const send = async (project: Project) =>
  (await sendNote(project, { ...task, text: 'Leave the API as it is', by: 'ann', via: 'cli' })).id;

type Ending = { delivered(): Promise<unknown>; returned(): Promise<unknown> };

async function tell(project: Project, way: NoteWay): Promise<Ending> {
  const notes = await takeNotes(project, place, way);
  return {
    delivered: () => project.record('demo', deliveredNotes(notes, place, way)),
    returned: () => project.record('demo', returnedNotes(notes, place, 'cancelled')),
  };
}

/** Its agent says that the task is done. */
const complete = (project: Project, verify = async () => undefined as unknown) =>
  completeTask(project, { ...task, agent: { id: 'run-1', runId: 'run-1' } }, async () => {
    await verify();
    return [];
  });

it('a task is not completed by an agent into whose turn something is being said, until it says so again', async () => {
  const { project, end } = await telling('steering');
  const completing = complete(project);
  await Promise.all([expect(completing).rejects.toMatchObject(refused), end.delivered()]);
  expect(await complete(project)).toBeDefined();
});

it('nor one into whose turn it was said while the task was verified', async () => {
  const { project } = await projectWithSprint();
  await startAttempt(project, 'a', 'run-1');
  const completing = complete(project, async () => {
    await send(project);
    await (await tell(project, 'steering')).delivered();
  });
  await expect(completing).rejects.toMatchObject(refused);
  expect(await complete(project)).toBeDefined();
});

it('is completed once it is known that what it was told before has arrived', async () => {
  const { project, end } = await telling('call');
  const completing = complete(project);
  await end.delivered();
  expect(await completing).toBeDefined();
});

it('is not verified in vain where that has not arrived', async () => {
  const { project, end } = await telling('call');
  const completing = complete(project, () => {
    throw new Error('verified');
  });
  await Promise.all([expect(completing).rejects.toMatchObject(refused), end.returned()]);
});

it('is completed by others whatever its agent is being told', async () => {
  const { project } = await telling('steering');
  expect(await completeTask(project, { ...task, agent: { id: 'editor' } }, async () => [])).toBeDefined();
});

it.each(['call', 'steering'] as const)(
  'a note by %s of which nobody says what became waits again',
  async (way) => {
    const { project, id } = await telling(way);
    const hearing = heardNotes(project, place, 100);
    const later = await send(project);
    await tell(project, way);
    await hearing;
    // Only what was being told then.
    expect(project.state.streams.get('demo')?.tasks.get('a')?.notes).toMatchObject([
      { id, taken: undefined },
      { id: later, taken: { by: 'run-1', way } },
    ]);
    await heardNotes(project, { ...place, to: 'run-2' }, 10);
    expect(await eventsOf(project, 'note.returned')).toHaveLength(1);
  },
);
