import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { servedEverywhere } from '../../helpers/served-everywhere.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';

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
  expect(await all.ask('/p/second/api/state')).toMatchObject({ status: 404 });
  await expect.poll(() => opened).toEqual(['later', 'second']);
  expect(await all.ask('/p/later/api/state')).toMatchObject({ status: 404 });
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
