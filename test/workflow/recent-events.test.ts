import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Project } from '../../src/workflow/project/project.ts';
import { RecentEvents } from '../../src/workflow/history/recent-events.ts';
import { on } from '../helpers/history.ts';
import { openTestProject, projectWithSprint } from '../helpers/temp-project.ts';

const note = (text: string) => on('demo/a', 'task.noted', { text });

async function withEvents(count = 0) {
  const { root, project } = await projectWithSprint();
  if (count > 0)
    await project.record(
      'demo',
      Array.from({ length: count }, (_, at) => note(`note ${at}`)),
    );
  const recent = (options?: { most?: number }, read?: Project['log']['read']) => {
    // What the project itself reads of its log is not ours to change.
    const log = { ...project.log, read: read ?? project.log.read.bind(project.log) };
    const seen = Object.create(project, { log: { value: log } }) as Project;
    const events = new RecentEvents(seen, 'demo', options);
    onTestFinished(() => events.close());
    return events;
  };
  return { root, project, recent };
}

const versions = async (events: RecentEvents) =>
  (await events.read()).map(({ streamversion }) => streamversion);

describe('the newest events of a stream', () => {
  it('are read once, and followed', async () => {
    const { project, recent } = await withEvents(2);
    const read = vi.fn<Project['log']['read']>((options) => project.log.read(options));
    const events = recent({}, read);
    expect(await versions(events)).toEqual([1, 2, 3]);
    const before = await events.read();
    await project.record('demo', [note('more')]);
    await project.record('other', [on('other/a', 'task.noted')]).catch(() => undefined);
    expect(await versions(events)).toEqual([1, 2, 3, 4]);
    expect(before).toHaveLength(3);
    expect(read).toHaveBeenCalledOnce();
  });

  it('are no more than are wanted', async () => {
    const { project, recent } = await withEvents(5);
    const events = recent({ most: 3 });
    expect(await versions(events)).toEqual([4, 5, 6]);
    await project.record('demo', [note('more')]);
    expect(await versions(events)).toEqual([5, 6, 7]);
  });

  it('have what was appended while they were read, each once and in order', async () => {
    const { project, recent } = await withEvents(2);
    const events = recent({}, async function* (options) {
      // Heard of, and read.
      await project.record('demo', [note('meanwhile')]);
      yield* project.log.read(options);
      // After the last batch, before it is followed.
      await project.record('demo', [note('then')]);
    });
    expect(await versions(events)).toEqual([1, 2, 3, 4, 5]);
  });

  it('are not followed after the end', async () => {
    const { project, recent } = await withEvents();
    const events = recent();
    await events.read();
    events.close();
    await project.record('demo', [note('more')]);
    expect(await versions(events)).toEqual([1]);
  });

  it('cannot be read from a log that is damaged, and can be once it is not', async () => {
    const { project, recent } = await withEvents(1);
    let isDamaged = true;
    const events = recent({}, async function* (options) {
      if (isDamaged) throw new Error('damaged');
      yield* project.log.read(options);
    });
    await expect(events.read()).rejects.toThrow('damaged');
    isDamaged = false;
    expect(await versions(events)).toEqual([1, 2]);
  });

  it('are those of other processes, too', async () => {
    const { root, recent } = await withEvents();
    const events = recent();
    await events.read();
    const other = await openTestProject(root);
    await other.record('demo', [note('from elsewhere')]);
    await expect.poll(() => versions(events)).toEqual([1, 2]);
  });
});
