import { createInterface } from 'node:readline';

// The smallest agent: it answers each request with its parameters, and each prompt with two updates besides.
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const update = (text) => ({
    jsonrpc: '2.0',
    method: 'session/update',
    params: {
      sessionId: 's',
      update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
    },
  });
  const said = method === 'session/prompt' ? [update('one'), update('two')] : [];
  const messages = [...said, { jsonrpc: '2.0', id, result: params }];
  process.stdout.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
});
