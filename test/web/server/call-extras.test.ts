import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CallExtras } from '../../../src/web/server/call-extras.ts';
import { askApproval } from '../../../src/workflow/requests/approval.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { approval } from '../../helpers/approval.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';

it('a comparison that fails again in the same way is no news, and one that fails otherwise, or can be made, is', async () => {
  const { root, project } = await projectWithSprint();
  await writeFile(join(root, 'a.txt'), 'one\ntwo\n');
  const own = { server: '@opencode', tool: 'edit', isOwn: true } as const;
  const args = { path: 'a.txt', content: 'one\n2\n' };
  const request = await askApproval(project, {
    stream: 'demo',
    agent: { id: 'x' },
    approval: { ...approval, ...own, args },
  });
  const reading = { works: false };
  const hideSecrets = () => {
    if (!reading.works) throw new Error('The secrets cannot be read');
    return project.hideSecrets();
  };
  const failing: Project = Object.create(project, { hideSecrets: { value: hideSecrets } });
  const extras = new CallExtras({ offersFor: async () => new Map(), partsOf: async () => new Map() });
  await extras.look(failing);
  expect(extras.takeCompared()).toBe(true);
  expect(extras.aboutFiles(request)).toEqual({ comparison: 'failed', revision: 0 });
  await extras.renew(failing);
  await extras.renew(failing);
  expect(extras.takeCompared()).toBe(false);
  reading.works = true;
  await extras.renew(failing);
  expect(extras.takeCompared()).toBe(true);
  expect(extras.aboutFiles(request)).toEqual({ comparison: 'done', revision: 1 });
  await extras.renew(failing);
  expect(extras.takeCompared()).toBe(false);
});

it('calls are compared one after the other, the one that somebody asks for first, and each is there once it is', async () => {
  const { project } = await projectWithSprint();
  const own = { server: '@opencode', tool: 'edit', isOwn: true } as const;
  const ask = (path: string) =>
    askApproval(project, {
      stream: 'demo',
      agent: { id: path },
      approval: {
        ...approval,
        ...own,
        callId: path,
        callDigest: path,
        args: { path, content: 'one\n2\n' },
      },
    });
  const [one, two, three] = [await ask('1.txt'), await ask('2.txt'), await ask('3.txt')];
  const extras = new CallExtras({ offersFor: async () => new Map(), partsOf: async () => new Map() });
  const done = () =>
    [one, two, three]
      .filter((request) => extras.aboutFiles(request).comparison === 'done')
      .map(({ id }) => id);
  const order: string[][] = [];
  const watched: Project = Object.create(project, {
    root: {
      get: () => {
        const now = done();
        if (now.length !== order.at(-1)?.length) order.push(now);
        return project.root;
      },
    },
  });
  await extras.ready(watched, two.id);
  expect(order).toEqual([[], [two.id], [one.id, two.id], [one.id, two.id, three.id]]);
});

it('who asks while the rest is looked for waits for that, too', async () => {
  const { project } = await projectWithSprint();
  const request = await askApproval(project, { stream: 'demo', agent: { id: 'x' }, approval });
  const found = Promise.withResolvers<void>();
  let times = 0;
  const extras = new CallExtras({
    offersFor: async () => {
      times += 1;
      await found.promise;
      return new Map([[request.id, ['a rule']]]);
    },
    partsOf: async () => new Map(),
  });
  const offers = Array.from({ length: 3 }, async () => {
    await extras.ready(project);
    return extras.of(request, { seesFiles: true }).offer;
  });
  // Files are compared meanwhile, for all of them.
  for (let at = 0; at < 3; at += 1) await extras.renew(project);
  found.resolve();
  expect(await Promise.all(offers)).toEqual([['a rule'], ['a rule'], ['a rule']]);
  expect(times).toBe(1);
});

it('who asks for a comparison that has not begun waits for the same one', async () => {
  const { project } = await projectWithSprint();
  const own = { server: '@opencode', tool: 'edit', isOwn: true } as const;
  const args = { path: 'a.txt', content: 'one\n2\n' };
  await askApproval(project, { stream: 'demo', agent: { id: 'x' }, approval: { ...approval, ...own, args } });
  let stamps = 0;
  const extras = new CallExtras({ offersFor: async () => new Map(), partsOf: async () => new Map() });
  await extras.look(project);
  const counted: Project = Object.create(project, {
    root: {
      get: () => {
        stamps += 1;
        return project.root;
      },
    },
  });
  await extras.renew(counted);
  const once = stamps;
  await Promise.all(Array.from({ length: 20 }, () => extras.renew(counted)));
  expect(stamps).toBe(2 * once);
});
