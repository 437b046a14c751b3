import { expect, it } from 'vitest';
import { approve, deny } from '../../../src/workflow/requests/approval.ts';
import { EXPLANATION_ARGUMENT, explainFirst } from '../../../src/workflow/requests/explain-first.ts';
import { textOf } from '../../mcp/support/connect-agent.ts';
import { fixture, gatewayAgent } from '../../mcp/support/gateway-agent.ts';
import { eventsOf, untilAsked } from '../../mcp/support/project-log.ts';

const human = { by: 'ann', via: 'cli' };
const servers = { it: fixture('handy.ts') };
const echo = { words: 'hello' };
const explained = { ...echo, [EXPLANATION_ARGUMENT]: 'To greet.' };

it('a call that a human asks about comes back with what the agent says of it, and its tool does not get that', async () => {
  const { call, text, project } = await gatewayAgent({ servers });
  const first = call('mcp__it__echo', echo);
  const { id } = await untilAsked(project);
  await explainFirst(project, id, { ...human, question: 'What for?' });
  const reply = textOf(await first);
  expect(reply).toContain('What for?');
  expect(reply).toContain(EXPLANATION_ARGUMENT);
  const second = text('mcp__it__echo', explained);
  const { asked, id: next } = await untilAsked(project);
  expect(asked).toMatchObject({
    follows: id,
    approval: { args: echo, explanation: { question: 'What for?', words: 'To greet.' } },
  });
  await approve(project, next, { ...human, scope: 'once' });
  expect(await second).toBe('hello');
  expect(await eventsOf(project, 'tool.allowed')).toHaveLength(1);
});

it('an argument of that name is one like any other for a call that nobody has asked about', async () => {
  const { call, project } = await gatewayAgent({ servers });
  const waiting = call('mcp__it__echo', explained);
  const { asked, id } = await untilAsked(project);
  expect(asked.approval?.args).toEqual(explained);
  expect(asked.approval?.explanation).toBeUndefined();
  await deny(project, id, human);
  await waiting;
});
