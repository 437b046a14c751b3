import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { answerRequest } from '../../src/workflow/requests/answer.ts';
import { projectWithSprint } from '../helpers/temp-project.ts';
import { callWith } from '../mcp/support/call-with.ts';
import { startServer } from '../mcp/support/mcp-process.ts';
import { eventsOf, untilAsked } from '../mcp/support/project-log.ts';

const which = { task: 'a', reason: 'two ways', question: 'Which colour?' };
const env = { CURRENT_SPRINT_DIR: 'sprints/demo' };

/** The human takes longer than two limits of the SDK's client, which are 60 s. */
const ANSWER_AFTER_MS = 150_000;

// Two and a half minutes of waiting: only on demand. The same with short limits is in test/mcp.
describe.runIf(process.env['REAL_LIMITS'] === '1')('a client with its default limit of 60 s', () => {
  it('gets the answer after 150 s: from one call with progress, by calling again without', async () => {
    const progress = { onprogress: () => undefined, resetTimeoutOnProgress: true };
    const [alive, silent] = await Promise.all([askAndAnswerLate(progress), askAndAnswerLate({})]);
    expect(alive).toEqual({ reply: 'blue', calls: 1, asked: 1, detached: 0 });
    // Back after 50 s, 100 s, and once more if the answer takes a little longer than 150 s.
    expect(silent).toEqual({
      reply: 'blue',
      calls: expect.toBeOneOf([3, 4]),
      asked: 1,
      detached: silent.calls - 1,
    });
  });
});

async function askAndAnswerLate(options: Parameters<typeof callWith>[3]) {
  const { root, project } = await projectWithSprint();
  const server = startServer(root, { env });
  const { client } = await server.connect();
  let calls = 0;
  const call = () => {
    calls += 1;
    return callWith(client, 'request_help', which, options);
  };
  const startedAt = performance.now();
  const waiting = (async () => {
    let reply = await call();
    while (reply.startsWith('No answer yet.')) reply = await call();
    return reply;
  })();
  const { id } = await untilAsked(project);
  // The time itself is tried: clients give up a call that takes so long.
  await pause(ANSWER_AFTER_MS);
  await answerRequest(project, id, { response: 'blue', by: 'ann', via: 'cli' });
  const reply = await waiting;
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  console.log(`${calls} call(s), answered after ${seconds} s`);
  await server.exitAfter(() => server.child.stdin.end());
  const [asked, detached] = await Promise.all([
    eventsOf(project, 'help.requested'),
    eventsOf(project, 'help.detached'),
  ]);
  return { reply, calls, asked: asked.length, detached: detached.length };
}
