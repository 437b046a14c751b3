import { writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { ask } from '../../src/workflow/requests/ask.ts';
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
  return { project, id, files, answer };
}

/** A block of ours, as it would be if a tool call were shown in one. */
const block = (requestId: string) =>
  JSON.stringify({ type: 'block', task: '', reason: '', question: 'Allow it?', timestamp: 0, requestId });

it.each([
  ['a response', { 'mcp-response.json': (id: string) => JSON.stringify({ response: 'yes', requestId: id }) }],
  [
    'a response, to a block that shows it,',
    { 'mcp-block.json': block, 'mcp-response.json': () => JSON.stringify({ response: 'approve' }) },
  ],
  [
    'an answer, to a question file that shows it,',
    {
      '../.agent-questions/q1_1.json': (id: string) => JSON.stringify({ question: 'Allow?', requestId: id }),
      '../.agent-questions/q1_1_answer.json': () => JSON.stringify({ answer: 'Yes.' }),
    },
  ],
])(
  '%s never allows a tool call: it is rejected with the reason, and the call waits on',
  async (_, written) => {
    const { project, id, files } = await waitingCall();
    for (const [name, content] of Object.entries(written))
      await writeFile(files.at(`.clifford/${name}`), content(id));
    await untilLogged(project, 'signal.rejected');
    const [rejected] = await eventsOf(project, 'signal.rejected');
    expect(rejected?.data.reason).toBe(
      `a file cannot allow a tool call, since an agent could write it: run clifford approve ${id}, or answer on the screen`,
    );
    expect(requestById(project.state, id)?.phase).toBe('open');
  },
);

it('a response that says no refuses it, and keeps the reason', async () => {
  const { project, id, answer } = await waitingCall();
  await answer('No: write below docs/');
  expect((await closed(project, id)).answer).toMatchObject({
    verdict: 'denied',
    response: 'No: write below docs/',
  });
});

it('a response answers no prompt of a program: it is rejected with the reason, and the program waits on', async () => {
  const { root, project } = await serveFiles();
  const { id } = await ask(project, {
    stream: 'adhoc',
    kind: 'prompt',
    agent: { id: 'agent-1' },
    question: 'Proceed with?',
  });
  const response = JSON.stringify({ response: 'yes', requestId: id });
  await writeFile(filesIn(root).at('.clifford/mcp-response.json'), response);
  await untilLogged(project, 'signal.rejected');
  const [rejected] = await eventsOf(project, 'signal.rejected');
  expect(rejected?.data.reason).toMatch(
    /^a file cannot answer a program's prompt, since an agent could write it/,
  );
  expect(requestById(project.state, id)?.phase).toBe('open');
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
