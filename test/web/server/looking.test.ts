import { expect, it } from 'vitest';
import { addToken } from '../../../src/web/server/tokens/named-tokens.ts';
import { lastPresence } from '../../../src/workflow/project/presence.ts';
import { codeOf, served } from '../../helpers/web-server.ts';

const body = {};

it('a human who uses the page is there for whoever calls people, in whatever process', async () => {
  const { ask: send, project } = await served();
  expect(lastPresence(project.dir)).toBeUndefined();
  expect(await send('/api/looking', { body })).toMatchObject({ status: 200 });
  await expect.poll(() => lastPresence(project.dir)).toBeGreaterThan(Date.now() - 60_000);
});

it('one who may only read is not, nor an agent that has started the server', async () => {
  const { ask: send, project, env, root } = await served();
  const token = await addToken(env, root, { name: 'wall', may: 'read' });
  expect(codeOf(await send('/api/looking', { body, token }))).toBe('READ_ONLY');
  const byAgent = await served({ env: { CLIFFORD_RUN_ID: 'run-7' } });
  expect(codeOf(await byAgent.ask('/api/looking', { body }))).toBe('NOT_A_HUMAN');
  expect([project, byAgent.project].map(({ dir }) => lastPresence(dir))).toEqual([undefined, undefined]);
});
