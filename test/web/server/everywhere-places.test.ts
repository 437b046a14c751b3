import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { CliffordError } from '../../../src/errors.ts';
import { addToken } from '../../../src/web/server/tokens/named-tokens.ts';
import { ALL_PROJECTS } from '../../../src/workflow/project/user-memory.ts';
import { servedEverywhere } from '../../helpers/served-everywhere.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { codeOf } from '../../helpers/web-server.ts';
import { readStream } from '../../helpers/web-stream.ts';

/** Time passes for what is tried again only when it is told to. */
function stopClock(): void {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
}

it('follows its list also while nobody looks, and opens what can be opened by then', async () => {
  stopClock();
  const one = await projectWithSprint();
  const root = join(one.root, 'later');
  const opened: string[] = [];
  const all = await servedEverywhere([{ name: 'later', root }], { opened: (name) => opened.push(name) });
  await one.project.close();
  await mkdir(root);
  await rename(join(one.root, '.clifford'), join(root, '.clifford'));
  await vi.advanceTimersByTimeAsync(31_000);
  await expect.poll(() => opened).toEqual(['later']);
  // Nor does it for whoever has no token.
  const second = await projectWithSprint();
  all.list([{ name: 'second', root: second.root }]);
  await vi.advanceTimersByTimeAsync(6_000);
  expect(await all.ask('/p/second/api/state', { token: null })).toMatchObject({ status: 401 });
  expect(opened).toEqual(['later']);
  expect(codeOf(await all.ask('/p/second/api/state'))).toBe('PROJECT_AWAY');
  await expect.poll(() => opened).toEqual(['later', 'second']);
  expect(await all.ask('/p/later/api/state')).toMatchObject({ status: 404 });
});

it('says of no name that nobody has it before the list could be read', async () => {
  const one = await projectWithSprint();
  const reading = () =>
    Promise.reject(new CliffordError('Cannot read the list', { code: 'LIST_UNREADABLE', fix: 'Wait' }));
  const all = await servedEverywhere([{ name: 'one', root: one.root }], { reading });
  expect(codeOf(await all.ask('/p/one/api/state'))).toBe('PROJECT_AWAY');
});

it('opens a project under the name that it has by then, and goes on when one cannot be closed', async () => {
  stopClock();
  const one = await projectWithSprint();
  const slow = Promise.withResolvers<void>();
  const { root } = one;
  const all = await servedEverywhere([], {
    opening: () => slow.promise,
    closing: (name) => (name === 'old' ? Promise.reject(new Error(`${name} cannot be closed`)) : undefined),
  });
  for (const name of ['old', 'new']) {
    all.list([{ name, root }]);
    await vi.advanceTimersByTimeAsync(6_000);
    await all.ask('/api/projects');
  }
  slow.resolve();
  await expect.poll(() => all.problems).toEqual(['Error: old cannot be closed']);
  await vi.advanceTimersByTimeAsync(6_000);
  await expect.poll(async () => (await all.ask('/p/new/api/state')).json()).toMatchObject({ project: 'new' });
});

it('lists the others where one cannot be looked at, or takes long', async () => {
  const roots = await Promise.all(['odd', 'away', 'fine'].map(() => projectWithSprint()));
  const known = ['odd', 'away', 'fine'].map((name, at) => ({ name, root: roots[at]?.root ?? '' }));
  let isBroken = false;
  const all = await servedEverywhere(known, {
    refreshing: (name) => {
      if (!isBroken || name === 'fine') return undefined;
      return name === 'odd' ? Promise.reject(new TypeError('this is odd')) : new Promise(() => undefined);
    },
  });
  isBroken = true;
  expect((await all.ask('/api/projects')).json()['projects']).toMatchObject([
    { name: 'fine', sprints: 1 },
    { name: 'odd', whyNot: 'this is odd' },
    { name: 'away', whyNot: 'its log does not answer' },
  ]);
  expect(all.problems).toEqual(['TypeError: this is odd']);
});

it('lists one that is still being opened as such, and not as one with a fault', async () => {
  stopClock();
  const { root } = await projectWithSprint();
  const slow = Promise.withResolvers<void>();
  const all = await servedEverywhere([], { opening: () => slow.promise });
  all.list([{ name: 'slow', root }]);
  await vi.advanceTimersByTimeAsync(6_000);
  const row = async () => (await all.ask('/api/projects')).json()['projects'];
  await expect.poll(row).toMatchObject([{ whyNot: 'it is being opened', isOpening: true }]);
  slow.resolve();
  await expect.poll(row).toMatchObject([{ sprints: 1 }]);
});

it('counts the streams of a token in all projects together', async () => {
  const [one, two] = [await projectWithSprint(), await projectWithSprint()];
  const all = await servedEverywhere([
    { name: 'one', root: one.root },
    { name: 'two', root: two.root },
  ]);
  const token = await addToken(all.env, ALL_PROJECTS, { name: 'wall screen', may: 'read' });
  const below = '/p/one';
  await Promise.all(Array.from({ length: 250 }, () => readStream(all.server, '', { token, below })));
  const refused = await all.ask('/p/two/api/events', { token });
  expect([refused.status, codeOf(refused)]).toEqual([503, 'TOO_MANY_STREAMS']);
});
