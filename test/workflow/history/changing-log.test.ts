import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import type { EventLog } from '../../../src/events/log/event-log.ts';
import { TracksOfNow } from '../../../src/workflow/history/task-tracks.ts';
import { openTestProject, projectWithSprint } from '../../helpers/temp-project.ts';
import { foldedFrom, saidBy } from '../../helpers/said-by-state.ts';
import { cursorIn } from './cursor-project.ts';

const note = (n: number) => ({
  type: 'task.noted' as const,
  subject: 'demo/a',
  data: { by: 'me', text: `${n} `.repeat(40) },
});

/** A sprint whose file has several pages, and the path of that file. */
async function recorded(notes = 600) {
  const { project, root } = await projectWithSprint();
  await project.record(
    'demo',
    Array.from({ length: notes }, (_, n) => note(n)),
  );
  return { project, root, file: join(root, '.clifford', 'events.jsonl') };
}

it('a damaged line ends the opening, and a seek that has to read it, with what the log says of it', async () => {
  const { project, file } = await recorded();
  const cursor = await cursorIn(project);
  const text = await readFile(file, 'utf8');
  const { streamversion } = cursor.position.event;
  await writeFile(file, text.replace('"text":"300 ', '"text":300, '));
  await expect(cursorIn(project)).rejects.toMatchObject({ code: 'LOG_CORRUPT' });
  await expect(cursor.seek(300)).rejects.toMatchObject({ code: 'LOG_CORRUPT' });
  expect(cursor.position.event.streamversion).toBe(streamversion);
  expect((await cursor.seek(3)).event.streamversion).toBe(3);
  await writeFile(file, text);
  expect((await cursor.seek(300)).event.streamversion).toBe(300);
});

it('a log that was replaced ends the seek', async () => {
  const { project, file } = await recorded();
  const cursor = await cursorIn(project);
  const lines = (await readFile(file, 'utf8')).split('\n');
  await writeFile(`${file}.new`, `${lines.slice(0, 3).join('\n')}\n`);
  await rename(`${file}.new`, file);
  await expect(cursor.seek(5)).rejects.toMatchObject({ code: 'LOG_REPLACED' });
});

it('the tracks of now are those of the log that stands in the place of the one that was read', async () => {
  const { project, file } = await recorded(1);
  await project.record('demo', [{ type: 'task.skipped', subject: 'demo/a', data: { by: 'me' } }]);
  const tracks = new TracksOfNow(project.log, 'demo');
  expect((await tracks.read()).moves('a', Infinity).map(({ to }) => to)).toContain('done.skipped');
  const lines = (await readFile(file, 'utf8')).split('\n');
  await writeFile(`${file}.new`, `${lines.slice(0, 1).join('\n')}\n`);
  await rename(`${file}.new`, file);
  await expect(tracks.read()).rejects.toMatchObject({ code: 'LOG_REPLACED' });
  expect((await tracks.read()).moves('a', Infinity)).toEqual([]);
});

it('a cursor that cannot be opened follows nothing', async () => {
  const { project } = await recorded();
  let calls = 0;
  const select: EventLog['select'] = async function* (selection) {
    calls += 1;
    if (calls > 1) throw new Error('gone');
    yield* project.log.select(selection);
  };
  const unsubscribe = vi.fn<() => void>();
  const broken = { ...project, log: { ...project.log, select }, subscribe: () => unsubscribe };
  await expect(cursorIn(broken, { pageEvents: 1 })).rejects.toThrow('gone');
  expect(unsubscribe).toHaveBeenCalledOnce();
});

it('follows decisions of other handles, in a file as well', async () => {
  const { project, root } = await recorded(5);
  const cursor = await cursorIn(project);
  const { length } = cursor;
  const other = await openTestProject(root);
  await other.dispatch('demo', () => [
    { type: 'sprint.started', subject: 'demo', data: { runner: 'test', maxAttempts: 1 } },
  ]);
  await vi.waitFor(() => expect(cursor.length).toBeGreaterThan(length));
  const events = await cursor.events(1, cursor.length);
  expect(saidBy((await cursor.seek(cursor.length)).state)).toEqual(foldedFrom(events));
});

it('reads a log that lags, or fails for now, again until it has what its project has', async () => {
  const { project } = await recorded(5);
  let troubles = ['none', 'lags', 'fails', 'fails', 'lags'];
  const select: EventLog['select'] = async function* (selection) {
    const trouble = troubles[0];
    troubles = troubles.slice(1);
    if (trouble === 'fails') throw new Error('for now');
    if (trouble !== 'lags') yield* project.log.select(selection);
  };
  const cursor = await cursorIn({ ...project, log: { ...project.log, select } });
  const failures: unknown[] = [];
  cursor.subscribe(() => failures.push(cursor.failure));
  const { length } = cursor;
  await project.record('demo', [note(1)]);
  await vi.waitFor(() => expect(cursor.length).toBe(length + 1));
  expect(failures.at(-1)).toBeUndefined();
  expect(failures[0]).toEqual(new Error('for now'));
});
