import { writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { askApproval } from '../../src/workflow/requests/approval.ts';
import { requestById } from '../../src/workflow/requests/find-request.ts';
import { approval } from '../helpers/approval.ts';
import { eventsOf, untilLogged } from '../mcp/support/project-log.ts';
import { closed, filesIn, serveFiles } from './support/serve-files.ts';

/** A served project in which a tool call waits, and an answer to it. */
async function waitingCall() {
  const { root, project } = await serveFiles();
  const { id } = await askApproval(project, { stream: 'adhoc', agent: { id: 'agent-1' }, approval });
  const files = filesIn(root);
  const answer = (response: string) =>
    writeFile(files.at('.clifford/mcp-response.json'), JSON.stringify({ response, requestId: id }));
  return { project, id, answer };
}

it('a response that names a tool call and says yes allows that call alone', async () => {
  const { project, id, answer } = await waitingCall();
  await answer('yes');
  expect((await closed(project, id)).answer).toMatchObject({
    verdict: 'approved',
    scope: 'once',
    via: 'file',
  });
  expect(project.state.policyRules).toEqual([]);
});

it('one that says no refuses it, and keeps the reason', async () => {
  const { project, id, answer } = await waitingCall();
  await answer('No: write below docs/');
  expect((await closed(project, id)).answer).toMatchObject({
    verdict: 'denied',
    response: 'No: write below docs/',
  });
});

it('one that says neither is rejected with the reason, and the call waits on', async () => {
  const { project, id, answer } = await waitingCall();
  await answer('always');
  await untilLogged(project, 'signal.rejected');
  const [rejected] = await eventsOf(project, 'signal.rejected');
  expect(rejected?.data.reason).toBe(
    `Cannot answer ${id}: it asks whether fs write_file may run, and "always" is neither yes nor no`,
  );
  expect(requestById(project.state, id)?.phase).toBe('open');
});
