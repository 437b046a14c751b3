import { describe, expect, it } from 'vitest';
import { clifford } from '../helpers/clifford-process.ts';
import { tempRoot, writeSprint } from '../helpers/temp-project.ts';

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
  [['queue', 'add', '--needs', 'GPU'], 'Cannot use --needs: ["GPU"] is no list of labels'],
  [['worker', '--labels', 'a b'], 'Cannot use --labels: ["a b"] is no list of labels'],
  [['queue', 'add', '--first', '--last'], 'Cannot use --first together with --last'],
  [['queue', 'move', 'demo', 'up'], 'Cannot move a sprint to "up": there is no such place'],
])('%j is refused before anything is asked', async (args, said) => {
  const root = await tempRoot();
  expect(await clifford(args, { cwd: root })).toMatchObject({ code: 2, err: expect.stringContaining(said) });
});
