import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readAll } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PlainFetch } from '../../../src/gateway/transport/plain-fetch.ts';
import { remote, startManager, textOf } from '../../mcp/support/gateway-servers.ts';

type Message = { id?: number; method?: string; params?: { name?: string } };
type Answer = (message: Message, response: ServerResponse, request: IncomingMessage) => void;

const initialised = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'fixture', version: '1' },
};

describe('a server over streamable HTTP', () => {
  it.each([
    ['breaks off', (response: ServerResponse) => response.destroy(), 'its stream was interrupted'],
    ['ends', (response: ServerResponse) => response.end(), 'it closed the stream before it answered'],
  ])('whose answering stream %s costs that call, not the server', async (_how, end, why) => {
    const { url } = await serve((_message, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': a comment\n\n', () => end(response));
    });
    const { manager } = await startManager();
    await manager.connect(remote(url));
    await expect(manager.callTool('it', 'any', {})).rejects.toMatchObject({
      code: 'SERVER_LOST',
      message: expect.stringContaining(why) as string,
    });
    expect(manager.states()).toMatchObject([{ health: 'ready', restarts: 0 }]);
  });

  it.each(['application/json', 'text/event-stream'])(
    'that answers with 100 MB as %s is refused at 32 MiB',
    async (type) => {
      const { url } = await serve((message, response) => {
        response.writeHead(200, { 'content-type': type });
        const words = 'x'.repeat(1_000_000);
        response.write(
          type === 'application/json' ? '{"result":{"content":"' : `id: 1\nevent: message\ndata: `,
        );
        const next = (left: number): void => {
          if (left === 0) response.end(`","id":${message.id}}`);
          else if (!response.destroyed) response.write(words, () => next(left - 1));
        };
        next(100);
      });
      const { manager } = await startManager();
      await manager.connect(remote(url));
      await expect(manager.callTool('it', 'any', {})).rejects.toThrow(
        'it sent a message of more than 32 MiB',
      );
    },
  );

  it('may send more than a message may have in many messages', async () => {
    const { url } = await serve((message, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const log = {
        jsonrpc: '2.0',
        method: 'notifications/message',
        params: { level: 'info', data: 'x'.repeat(500) },
      };
      for (let count = 0; count < 20; count++) response.write(`data: ${JSON.stringify(log)}\r\n\r\n`);
      response.end(
        `data: ${JSON.stringify({ jsonrpc: '2.0', id: message.id, result: { content: [{ text: 'all' }] } })}\n\n`,
      );
    });
    const { manager } = await startManager({ limits: { maxMessageBytes: 2_000 } });
    await manager.connect(remote(url));
    expect(textOf(await manager.callTool('it', 'any', {}))).toBe('all');
  });

  it.each([
    [404, ''],
    [400, 'Bad Request: No valid session ID provided'],
  ])('that has forgotten the session and says so with %d is initialised again', async (status, words) => {
    let initialised = 0;
    const { url } = await serve(
      ({ id }, response) => {
        if (initialised === 1) response.writeHead(status).end(words);
        else json(response, { jsonrpc: '2.0', id, result: { content: [{ text: 'here' }] } });
      },
      { onInitialise: () => initialised++ },
    );
    const { manager } = await startManager({ limits: { firstDelayMs: 10_000_000 } });
    await manager.connect(remote(url));
    await expect(manager.callTool('it', 'any', {})).rejects.toThrow('it no longer knows our session');
    expect(textOf(await manager.callTool('it', 'any', {}))).toBe('here');
  });

  it('gets the headers of its configuration, and no other server does', async () => {
    const elsewhere: unknown[] = [];
    const other = await listen((request, response) => {
      elsewhere.push(request.headers);
      response.writeHead(500).end();
    });
    const { url, requests } = await serve((_message, response) => {
      response.writeHead(307, { location: `${other}/mcp` }).end();
    });
    const { manager } = await startManager();
    await manager.connect(remote(url, { headers: { 'X-Api-Key': 'for it alone' } }));
    await expect(manager.callTool('it', 'any', {})).rejects.toThrow(`Redirect to ${other}/mcp not followed`);
    expect(elsewhere).toEqual([]);
    expect(requests.every(({ headers }) => headers['x-api-key'] === 'for it alone')).toBe(true);
  });

  it('that sends us away at once is not reached, and says where it wanted us', async () => {
    const url = await listen((_request, response) => {
      response.writeHead(308, { location: 'http://169.254.169.254/latest/meta-data' }).end();
    });
    const { manager } = await startManager();
    await expect(manager.connect(remote(url))).rejects.toThrow(
      'Redirect to http://169.254.169.254/latest/meta-data not followed',
    );
  });

  it('that answers with an error costs that call, and is named', async () => {
    const { url } = await serve((_message, response) => {
      response.writeHead(503).end('overloaded');
    });
    const { manager } = await startManager();
    await manager.connect(remote(url));
    await expect(manager.callTool('it', 'any', {})).rejects.toMatchObject({
      code: 'CALL_REFUSED',
      message: 'Cannot run the tool any of the MCP server it: it answered HTTP 503: overloaded',
    });
    expect(manager.states()).toMatchObject([{ health: 'ready' }]);
  });

  it('that finds the request bad stays, with its session', async () => {
    let initialised = 0;
    const { url } = await serve((_message, response) => response.writeHead(400).end('too many words'), {
      onInitialise: () => initialised++,
    });
    const { manager } = await startManager();
    await manager.connect(remote(url));
    await expect(manager.callTool('it', 'any', {})).rejects.toThrow('it answered HTTP 400: too many words');
    await expect(manager.callTool('it', 'any', {})).rejects.toMatchObject({ code: 'CALL_REFUSED' });
    expect(initialised).toBe(1);
  });

  it('whose answer cannot be read costs that call', async () => {
    const { url } = await serve(({ id }, response) => json(response, { jsonrpc: '2.0', id, result: null }));
    const { manager } = await startManager();
    await manager.connect(remote(url));
    await expect(manager.callTool('it', 'any', {})).rejects.toThrow(
      'Cannot run the tool any of the MCP server it: its answer is not a JSON-RPC response',
    );
  });

  it.each([
    ['http', 'it answered HTTP 401: who are you?'],
    ['sse', 'it answered HTTP 401'],
  ] as const)('that does not know us is not reached over %s, and says why', async (transport, why) => {
    const url = await listen((_request, response) => response.writeHead(401).end('who are you?'));
    const { manager } = await startManager();
    await expect(manager.connect(remote(url, { transport }))).rejects.toThrow(
      `Cannot reach the MCP server it: ${why}`,
    );
    expect(manager.states()).toMatchObject([{ problem: why }]);
  });

  it.each([
    {
      how: 'goes on',
      status: 200,
      result: { content: [{ text: 'the rest' }] },
      end: { status: 'fulfilled', value: { content: [{ text: 'the rest' }] } },
    },
    {
      how: 'does not go on',
      status: 400,
      result: undefined,
      end: {
        status: 'rejected',
        reason: {
          message: expect.stringContaining('it cannot resume an interrupted stream (HTTP 400)') as string,
        },
      },
    },
  ])('whose stream breaks off is asked to go on: it $how', async ({ status, result, end }) => {
    const asked: unknown[] = [];
    let callId: number | undefined;
    const { url } = await serve(
      ({ id }, response) => {
        callId = id;
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end('id: 1\nretry: 1\ndata:\n\n');
      },
      {
        onListen: (response, request) => {
          const last = request.headers['last-event-id'];
          if (last === undefined) return response.writeHead(405).end();
          asked.push(last);
          response.writeHead(status, { 'content-type': 'text/event-stream' });
          const answer = { jsonrpc: '2.0', id: callId, result };
          return response.end(result && `id: 2\ndata: ${JSON.stringify(answer)}\n\n`);
        },
      },
    );
    const { manager } = await startManager({ limits: { firstDelayMs: 10_000_000 } });
    await manager.connect(remote(url));
    expect(await Promise.allSettled([manager.callTool('it', 'any', {})])).toMatchObject([end]);
    expect(asked).toEqual(['1']);
  });

  it('that says by itself more than a message may have is left', async () => {
    const { url } = await serve(() => undefined, {
      onListen: (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        return response.write(`data: ${'x'.repeat(3_000)}`);
      },
    });
    const limits = { maxMessageBytes: 2_000, firstDelayMs: 10_000_000 };
    const { manager } = await startManager({ limits });
    // It may say so before or after it is ready.
    await Promise.allSettled([manager.connect(remote(url))]);
    await expect
      .poll(() => manager.states())
      .toMatchObject([
        { health: 'down', problem: expect.stringContaining('it sent a message of more') as string },
      ]);
  });

  it('that refuses with words without end is not listened to until then', async () => {
    const closed = Promise.withResolvers<void>();
    const { url } = await serve((_message, response) => {
      response.writeHead(500);
      response.on('close', closed.resolve);
      const next = (): void => {
        if (!response.destroyed) response.write('no '.repeat(10_000), next);
      };
      next();
    });
    const { manager } = await startManager();
    await manager.connect(remote(url));
    await expect(manager.callTool('it', 'any', {})).rejects.toMatchObject({ code: 'CALL_REFUSED' });
    await closed.promise;
  });

  it('that breaks off is not sent the same call a second time', async () => {
    let calls = 0;
    const { url } = await serve(({ id }, response, request) => {
      calls++;
      if (calls === 1) json(response, { jsonrpc: '2.0', id, result: { content: [] } });
      else request.socket.destroy();
    });
    const { manager } = await startManager();
    await manager.connect(remote(url));
    await manager.callTool('it', 'any', {});
    await expect(manager.callTool('it', 'any', {})).rejects.toMatchObject({ code: 'SERVER_LOST' });
    expect(calls).toBe(2);
  });

  it('is told that the session is over', async () => {
    const { url, requests } = await serve(() => undefined);
    const { manager } = await startManager();
    await manager.connect(remote(url));
    await manager.close();
    expect(requests.at(-1)).toMatchObject({ method: 'DELETE', headers: { 'mcp-session-id': 'session' } });
  });

  it('whose answers to the request for a stream end at once is not asked without a pause', async () => {
    let listens = 0;
    const { url } = await serve(
      ({ id }, response) => json(response, { jsonrpc: '2.0', id, result: { content: [] } }),
      {
        onListen: (response) => {
          listens++;
          response.writeHead(200, { 'content-type': 'text/event-stream' }).end('retry: 0\n\n');
        },
      },
    );
    const { manager } = await startManager();
    await manager.connect(remote(url));
    await expect.poll(() => listens).toBeGreaterThan(0);
    const before = listens;
    for (let calls = 0; calls < 100; calls++) await manager.callTool('it', 'any', {});
    expect(listens - before).toBeLessThan(20);
  });
});

describe('a server with server-sent events', () => {
  it.each<[string, (stream: ServerResponse) => void, string]>([
    ['ends', (stream) => stream.end(), 'it closed its stream'],
    ['is cut', (stream) => stream.destroy(), 'its stream was interrupted'],
  ])('is its stream: when that %s the call says so, and it is reached anew', async (_how, lose, reason) => {
    let stream: ServerResponse | undefined;
    const say = (id: number, result: object) =>
      stream?.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
    let streams = 0;
    const url = await listen(async (request, response) => {
      if (request.method === 'GET') {
        streams++;
        stream = response;
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        return response.write(`event: endpoint\ndata: /messages\n\n`);
      }
      const { id, method } = JSON.parse(await readAll(request)) as Message;
      response.writeHead(202).end();
      if (id === undefined) return undefined;
      if (method === 'initialize') return say(id, initialised);
      if (method === 'tools/list') return say(id, { tools: [{ name: 'any' }] });
      return streams === 1 && stream ? lose(stream) : say(id, { content: [{ text: 'here' }] });
    });
    const { manager } = await startManager({ limits: { firstDelayMs: 10_000_000 } });
    await manager.connect(remote(url, { transport: 'sse' }));
    await expect(manager.callTool('it', 'any', {})).rejects.toThrow(reason);
    expect(textOf(await manager.callTool('it', 'any', {}))).toBe('here');
    expect(streams).toBe(2);
  });

  it('that never says where to send anything is given up in its time', async () => {
    const url = await listen((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': wait\n\n');
    });
    const { manager } = await startManager();
    await expect(manager.connect(remote(url, { transport: 'sse', startTimeoutMs: 200 }))).rejects.toThrow(
      'it did not answer `initialize` within 0.2 s',
    );
  });
});

describe('a URL', () => {
  it.each([
    ['http://169.254.169.254/mcp', 'leads to 169.254.169.254'],
    ['https://[fe80::1]/mcp', 'leads to [fe80::1]'],
    ['https://[::ffff:169.254.169.254]/mcp', 'leads to'],
    ['http://192.0.2.1/mcp', 'must begin with https:'],
    ['ftp://127.0.0.1/', 'must begin with https: or http:'],
  ])('that leads where no server of ours can be is not connected: %s', async (url, why) => {
    const { manager } = await startManager();
    await expect(manager.connect(remote(url))).rejects.toMatchObject({
      code: 'SERVER_UNREACHABLE',
      message: expect.stringContaining(why) as string,
    });
  });

  it('on another machine is warned of, once; one on this machine is not', async () => {
    const { manager, reports } = await startManager({ limits: { attempts: 1 } });
    const far = remote('https://mcp.invalid/mcp');
    await expect(manager.connect(far)).rejects.toMatchObject({ code: 'SERVER_UNREACHABLE' });
    await expect(manager.callTool('it', 'any', {})).rejects.toMatchObject({ code: 'SERVER_UNREACHABLE' });
    expect(reports).toEqual(['the MCP server it is at mcp.invalid: what agents send it leaves this machine']);
    const { url } = await serve(() => undefined);
    await manager.connect(remote(url, { id: 'near' }));
    expect(reports).toHaveLength(1);
  });
});

describe('the name of a host', () => {
  it('is looked up, and each address it leads to is checked before any is connected', async () => {
    let requests = 0;
    const { port } = new URL(
      await listen((_request, response) => {
        requests++;
        response.end();
      }),
    );
    const asked: string[] = [];
    const refusing = new PlainFetch((address) => {
      asked.push(address);
      return `${address} is not for us`;
    });
    await expect(refusing.fetch(`http://localhost:${port}/`)).rejects.toThrow('is not for us');
    expect(asked).not.toEqual([]);
    expect(requests).toBe(0);
    refusing.close();
  });
});

describe('a server of before 2026-07-28 that is asked for its revision', () => {
  it.each([
    ['breaks off', (response: ServerResponse) => response.destroy()],
    ['says nothing', () => undefined],
    ['wants a session first', (response: ServerResponse) => response.writeHead(400).end('Not initialized')],
    ['knows no such thing', (response: ServerResponse) => response.writeHead(404).end()],
    [
      'begins a session',
      (response: ServerResponse) =>
        response.writeHead(405, { 'mcp-session-id': 'forgotten' }).end('{"jsonrpc":"2.0"}'),
    ],
  ])('and %s is initialised as ever', async (_what, onDiscover) => {
    const { url, requests } = await serve(
      ({ id }, response) => json(response, { jsonrpc: '2.0', id, result: { content: [{ text: 'there' }] } }),
      { onDiscover },
    );
    const { manager } = await startManager({ limits: { probeMs: 200 } });
    await manager.connect(remote(url));
    expect(textOf(await manager.callTool('it', 'any', {}))).toBe('there');
    expect(manager.states()).toMatchObject([
      { health: 'ready', restarts: 0, server: { protocol: '2025-11-25' } },
    ]);
    expect(manager.states()[0]).not.toHaveProperty('problem');
    expect(requests.filter(({ headers }) => headers['mcp-session-id'] === 'forgotten')).toEqual([]);
  });
});

describe('a server of 2026-07-28 that is slow to say so', () => {
  const result = { supportedVersions: ['2026-07-28'], capabilities: {} };

  it('and breaks off when it is asked at first is spoken to in it', async () => {
    let questions = 0;
    const url = await listen(async (request, response) => {
      const { id, method } = JSON.parse(await readAll(request)) as Message;
      if (method !== 'server/discover') response.writeHead(400).end('What?');
      else if (++questions === 1) response.destroy();
      else json(response, { jsonrpc: '2.0', id, result });
    });
    const { manager } = await startManager({ limits: { firstDelayMs: 1 } });
    await expect(manager.connect(remote(url))).rejects.toThrow('HTTP 400: What?');
    await expect
      .poll(() => manager.states())
      .toMatchObject([{ health: 'ready', server: { protocol: '2026-07-28' } }]);
  });

  it.each([
    ['says so when it has refused `initialize`', 1],
    ['does not say so before it is asked again', 2],
  ])('and %s is spoken to in it', async (_how, needed) => {
    const asked: [ServerResponse, object][] = [];
    const answerAsked = () => {
      if (asked.length < needed) return;
      for (const [response, message] of asked.splice(0)) json(response, message);
    };
    let refusals = 0;
    const url = await listen(async (request, response) => {
      const { id, method } = JSON.parse(await readAll(request)) as Message;
      if (method === 'server/discover') asked.push([response, { jsonrpc: '2.0', id, result }]);
      else refusals += 1;
      if (method !== 'server/discover') response.writeHead(400).end('What?');
      if (refusals >= needed || asked.length > 1) answerAsked();
    });
    const { manager } = await startManager({ limits: { probeMs: 50, firstDelayMs: 1 } });
    const connecting = manager.connect(remote(url));
    connecting.catch(() => undefined);
    await expect
      .poll(() => manager.states(), { timeout: 20_000 })
      .toMatchObject([{ health: 'ready', server: { protocol: '2026-07-28' } }]);
  });
});

it('one tool whose schema is nested without end costs no other of a server of the newest revision', async () => {
  const deep = `${'{"properties":{"a":'.repeat(20_000)}{}${'}}'.repeat(20_000)}`;
  const { url } = await serve(() => undefined, {
    onDiscover: (response) =>
      json(response, {
        jsonrpc: '2.0',
        id: 'clifford.discover',
        result: { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
      }),
    tools: `[{"name":"deep","inputSchema":${deep}},{"name":"any","inputSchema":{"type":"object"}}]`,
  });
  const { manager, events } = await startManager();
  await manager.connect(remote(url));
  expect(manager.getTools('it').map(({ name }) => name)).toEqual(['any']);
  const data = 'the tool deep is left out: its schema is nested too deeply';
  expect(events).toContainEqual(expect.objectContaining({ params: expect.objectContaining({ data }) }));
});

/** A server that does as it should until a tool is called. */
async function serve(
  onCall: Answer,
  more: {
    onInitialise?: () => void;
    onDiscover?: (response: ServerResponse) => unknown;
    onListen?: (response: ServerResponse, request: IncomingMessage) => unknown;
    /** The tools, as JSON. */
    tools?: string;
  } = {},
): Promise<{ url: string; requests: IncomingMessage[] }> {
  const requests: IncomingMessage[] = [];
  const url = await listen(async (request, response) => {
    requests.push(request);
    if (request.method === 'GET' && more.onListen) return more.onListen(response, request);
    if (request.method !== 'POST') return response.writeHead(405).end();
    const message = JSON.parse(await readAll(request)) as Message;
    const { id, method } = message;
    if (method === 'tools/call') return onCall(message, response, request);
    if (id === undefined) return response.writeHead(202).end();
    if (method === 'server/discover' && more.onDiscover) return more.onDiscover(response);
    if (method === 'initialize') {
      more.onInitialise?.();
      response.setHeader('mcp-session-id', 'session');
      return json(response, { jsonrpc: '2.0', id, result: initialised });
    }
    const { tools = '[{"name":"any"}]' } = more;
    response.writeHead(200, { 'content-type': 'application/json' });
    return response.end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"tools":${tools}}}`);
  });
  return { url, requests };
}

function json(response: ServerResponse, message: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(message));
}

async function listen(
  onRequest: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<string> {
  const server = createServer((request, response) => void onRequest(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
