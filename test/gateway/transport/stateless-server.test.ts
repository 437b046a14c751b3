import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';
import { StatelessServer } from '../../../src/gateway/transport/stateless-server.ts';

const method = 'elicitation/create';

it('a call that fails for one answer that it does not get asks nobody for the others any more', async () => {
  const delivered: JSONRPCMessage[] = [];
  const server = new StatelessServer({
    discovery: { supportedVersions: [], capabilities: {}, _meta: {} },
    initialize: {
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    },
    wire: {
      start: async () => undefined,
      send: async () => undefined,
      close: async () => undefined,
      ending: undefined,
      lastWords: () => '',
    },
    listenMs: 1,
    deliver: (message) => void delivered.push(message),
    remark: () => undefined,
  });
  await server.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ask' } });
  const inputRequests = { age: { method, params: {} }, hat: { method, params: {} } };
  server.received({ jsonrpc: '2.0', id: 1, result: { resultType: 'input_required', inputRequests } });
  expect(delivered.map((message) => ('id' in message ? message.id : undefined))).toEqual(['1/age', '1/hat']);
  await server.send({ jsonrpc: '2.0', id: '1/age', error: { code: -1, message: 'no' } });
  expect(delivered.slice(2)).toEqual([
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: '1/hat' } },
    { jsonrpc: '2.0', id: 1, error: expect.objectContaining({ message: expect.stringContaining('no') }) },
  ]);
});
