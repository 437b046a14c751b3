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
