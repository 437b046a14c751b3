import { describe, expect, it } from 'vitest';
import { clifford } from '../helpers/clifford-process.ts';
import { projectWithSprint, tempRoot, writeSprint } from '../helpers/temp-project.ts';

describe('a project with its log in a file', () => {
  it.each([
    ['queue', 'add', 'demo'],
    ['queue', 'list'],
    ['queue', 'move', 'demo', 'first'],
    ['queue', 'cancel', 'demo'],
    ['worker', '--once'],
  ])('has no queue: %s %s', async (...args) => {
    const root = await tempRoot();
    await writeSprint(root);
    const { code, err } = await clifford(args, { cwd: root });
    expect(code).toBe(2);
    expect(err).toContain('clifford: Cannot use a queue: the log of this project is a file');
    expect(err).toContain('or run the sprint here with: clifford run');
  });
});

it.each([
  ['waits', []],
  ['is held', [{ type: 'job.taken', subject: 'demo', data: { worker: 'w1@far' } } as const]],
] as const)(
  'a copy of a log says that a sprint %s in the queue: it can be taken out, and is run',
  async (_, more) => {
    const { root, project } = await projectWithSprint();
    await project.record('demo', [{ type: 'job.added', subject: 'demo', data: { by: 'ann' } }, ...more]);
    await project.close();
    const run = (...args: string[]) => clifford(args, { cwd: root });
    expect(await run('queue', 'cancel', 'demo')).toMatchObject({
      code: 0,
      out: 'took demo out of the queue, in this copy of the log alone\n',
    });
    expect((await run('status')).out).not.toMatch(/waits in the queue|w1/);
    expect(await run('run', 'demo', '--plain', '--agent-cmd', 'false', '--accept-commands')).toMatchObject({
      code: 1,
      out: expect.stringContaining('sprint.started'),
    });
    expect((await run('queue', 'cancel', 'demo')).code).toBe(2);
  },
);

it.each([
  [['queue', 'add', '--needs', 'GPU'], 'Cannot use --needs: ["GPU"] is no list of labels'],
  [['worker', '--labels', 'a b'], 'Cannot use --labels: ["a b"] is no list of labels'],
  [['queue', 'add', '--first', '--last'], 'Cannot use --first together with --last'],
  [['queue', 'move', 'demo', 'up'], 'Cannot move a sprint to "up": there is no such place'],
])('%j is refused before anything is asked', async (args, said) => {
  const root = await tempRoot();
  expect(await clifford(args, { cwd: root })).toMatchObject({ code: 2, err: expect.stringContaining(said) });
});
