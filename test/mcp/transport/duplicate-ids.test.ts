import { ErrorCode, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { expect, it, vi } from 'vitest';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { connectAgent } from '../support/connect-agent.ts';
import { eventsOf, untilAsked } from '../support/project-log.ts';

const which = { task: 'a', reason: 'two ways', question: 'Which colour?' };

it('a second request with the id of one under way is refused, and the first is ended and recorded', async () => {
  const { root, project } = await projectWithSprint();
  const failures: unknown[] = [];
  const { client, server } = await connectAgent(root, {
    onServer: (made) => void made.on('error', (error) => failures.push(error)),
  });
  const { transport } = client;
  if (!transport) throw new Error('not connected');
  const replies: JSONRPCMessage[] = [];
  const hand = transport.onmessage;
  transport.onmessage = (message, extra) => {
    if ('id' in message && message.id === 'same') replies.push(message);
    else hand?.(message, extra);
  };
  const call = (name: string, args: object) =>
    transport.send({
      jsonrpc: '2.0',
      id: 'same',
      method: 'tools/call',
      params: { name, arguments: { ...args } },
    });

  await call('request_help', which);
  await untilAsked(project);
  await call('get_sprint_context', { sprintDir: 'sprints/demo' });
  await vi.waitFor(() => expect(replies).toHaveLength(1));
  expect(replies[0]).toMatchObject({
    id: 'same',
    error: {
      code: ErrorCode.InvalidRequest,
      message: 'Cannot take a second request with id "same": the first one is under way',
    },
  });

  await server.stop();
  expect(failures).toEqual([]);
  expect((await eventsOf(project, 'tool.requested')).map(({ data }) => data.tool)).toEqual(['request_help']);
  expect(await eventsOf(project, 'tool.failed')).toHaveLength(1);
});
