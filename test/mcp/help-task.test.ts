import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { CallToolResultSchema, type CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { answerRequest, dismissRequest } from '../../src/workflow/requests/answer.ts';
import { projectWithSprint } from '../helpers/temp-project.ts';
import { connectAgent, textOf } from './support/connect-agent.ts';
import { startServer } from './support/mcp-process.ts';
import { eventsOf, untilAsked, untilLogged } from './support/project-log.ts';

const help = { task: 'a', reason: 'Two are free', question: 'Which port?' };
const human = { by: 'bob', via: 'tui' };

/** Has a client of MCP's tasks ask, and returns the id of the task. */
async function begin(client: Client): Promise<string> {
  await client.listTools();
  const stream = client.experimental.tasks.callToolStream({ name: 'request_help', arguments: help });
  for await (const message of stream) if (message.type === 'taskCreated') return message.task.taskId;
  throw new Error('no task was created');
}

const resultOf = (client: Client, taskId: string): Promise<CallToolResult> =>
  client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema);

describe('request_help as a task of a client', () => {
  it('goes on by itself, and its result is the answer', async () => {
    const { root, project } = await projectWithSprint();
    const { client } = await connectAgent(root);
    await client.listTools();
    const states: string[] = [];
    let result: CallToolResult | undefined;
    const answering = untilAsked(project).then(({ id }) =>
      answerRequest(project, id, { ...human, response: '8080' }),
    );
    for await (const message of client.experimental.tasks.callToolStream({
      name: 'request_help',
      arguments: help,
    })) {
      states.push(message.type);
      if (message.type === 'result') result = CallToolResultSchema.parse(message.result);
    }
    await answering;
    expect(states[0]).toBe('taskCreated');
    expect(result && textOf(result)).toBe('8080');
    await untilLogged(project, 'help.delivered');
  });

  it('is the question: while nobody has answered the log says that no call waits', async () => {
    const { root, project } = await projectWithSprint();
    const { client } = await connectAgent(root);
    const taskId = await begin(client);
    const { id } = await untilAsked(project);
    expect(taskId).toBe(id);
    await untilLogged(project, 'help.detached');
    expect(await client.experimental.tasks.getTask(taskId)).toMatchObject({
      taskId,
      status: 'working',
      ttl: null,
    });
    // The same words in an ordinary call join it.
    const call = client.callTool({ name: 'request_help', arguments: help });
    await untilLogged(project, 'help.attached');
    await answerRequest(project, id, { ...human, response: 'either' });
    expect(textOf(CallToolResultSchema.parse(await call))).toBe('either');
    expect(await eventsOf(project, 'help.requested')).toHaveLength(1);
  });

  it('outlives the server: another process has its state and its result', async () => {
    const { root, project } = await projectWithSprint();
    const first = startServer(root);
    const taskId = await begin((await first.connect()).client);
    await first.exitAfter(() => first.child.kill('SIGKILL'));
    const { client } = await startServer(root).connect();
    expect((await client.experimental.tasks.getTask(taskId)).status).toBe('working');
    const result = resultOf(client, taskId);
    await untilLogged(project, 'help.attached');
    await answerRequest(project, taskId, { ...human, response: '9090' });
    expect(textOf(await result)).toBe('9090');
    expect((await client.experimental.tasks.getTask(taskId)).status).toBe('completed');
    // Again, as often as it is asked for.
    expect(textOf(await resultOf(client, taskId))).toBe('9090');
  });

  it('that the human has dismissed is completed, and says so', async () => {
    const { root, project } = await projectWithSprint();
    const { client } = await connectAgent(root);
    const taskId = await begin(client);
    await dismissRequest(project, taskId, { ...human, reason: 'not now' });
    expect((await client.experimental.tasks.getTask(taskId)).status).toBe('completed');
    expect(textOf(await resultOf(client, taskId))).toContain('not now');
  });

  it('waits longer than a call of this client would', async () => {
    const { root, project } = await projectWithSprint();
    const { client } = await connectAgent(root, { env: { CLIFFORD_WAIT_LIMIT_MS: '1' } });
    const taskId = await begin(client);
    await untilLogged(project, 'help.detached');
    const result = resultOf(client, taskId);
    await untilLogged(project, 'help.attached');
    await answerRequest(project, taskId, { ...human, response: 'yes' });
    expect(textOf(await result)).toBe('yes');
  });

  it('is refused where it is none: of another tool, of another id, with wrong arguments', async () => {
    const { root } = await projectWithSprint();
    const { client } = await connectAgent(root);
    const asTask = { task: {} };
    const call = (name: string, args: object) =>
      client.request(
        { method: 'tools/call', params: { name, arguments: { ...args } } },
        CallToolResultSchema,
        asTask,
      );
    await expect(call('get_sprint_context', { sprintDir: 'sprints/demo' })).rejects.toMatchObject({
      code: -32_601,
    });
    await expect(call('request_help', { task: 'a' })).rejects.toThrow('Cannot call request_help');
    await expect(client.experimental.tasks.getTask('q-none')).rejects.toThrow('no question has that id');
    await expect(resultOf(client, 'q-none')).rejects.toThrow('no question has that id');
    await expect(client.experimental.tasks.cancelTask('q-none')).rejects.toThrow('Method not found');
  });
});
