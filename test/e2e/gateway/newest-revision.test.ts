import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { RawObject } from '../../../src/gateway/server/manager-event.ts';
import type { AnswerServer, McpManagerOptions } from '../../../src/gateway/server/mcp-manager.ts';
import { program, remote, startManager, textOf } from '../../mcp/support/gateway-servers.ts';
import { serveNewest, startNewest } from '../../mcp/support/newest-server.ts';

type Transport = 'stdio' | 'http';

/** A manager that is connected to the server of the newest revision; and how to wait for what the server says on stderr. */
async function connected(
  transport: Transport,
  { args = [], ...options }: Partial<McpManagerOptions> & { args?: string[] } = {},
) {
  const { stateDir, ...started } = await startManager(options);
  const log = () => readFile(join(stateDir, 'mcp/it.log'), 'utf8');
  if (transport === 'stdio') {
    await started.manager.connect(program('newest.ts', { args: ['stdio', ...args] }));
    const untilSaid = (words: string) =>
      vi.waitUntil(async () => (await log()).includes(words), { timeout: 20_000 });
    return { ...started, untilSaid };
  }
  const { url, untilSaid } = await serveNewest(args);
  await started.manager.connect(remote(url));
  return { ...started, untilSaid };
}

const age = { action: 'accept', content: { age: 7 } };
const answers: Record<string, RawObject> = {
  'elicitation/create': age,
  'sampling/createMessage': { role: 'assistant', model: 'm', content: { type: 'text', text: 'hat' } },
};

/** Answers at once, and keeps what it was asked. */
function answering(): { answerServer: AnswerServer; asked: { method: string; params: RawObject }[] } {
  const asked: { method: string; params: RawObject }[] = [];
  const answerServer: AnswerServer = async (_id, method, params) => {
    asked.push({ method, params });
    return answers[method] ?? {};
  };
  return { answerServer, asked };
}

describe.each<Transport>(['stdio', 'http'])('a server of the revision 2026-07-28 over %s', (transport) => {
  it('tells of the resources that are subscribed to, and of no other', async () => {
    const { manager } = await connected(transport);
    const updated: string[] = [];
    manager.on((event) => void (event.kind === 'updated' && updated.push(event.uri)));
    const touch = async (...uris: string[]) => void (await manager.callTool('it', 'touch', { uris }));
    await manager.request('it', 'resources/subscribe', { uri: 'a:one' });
    await expect.poll(() => touch('a:two', 'a:one').then(() => updated)).toContain('a:one');
    await manager.request('it', 'resources/subscribe', { uri: 'a:two' });
    await expect.poll(() => touch('a:two', 'a:one').then(() => updated)).toContain('a:two');
    await manager.request('it', 'resources/unsubscribe', { uri: 'a:one' });
    // The server goes by the subscription before until it has taken the next one.
    await expect
      .poll(async () => {
        updated.length = 0;
        await touch('a:one', 'a:two', 'a:end');
        await vi.waitFor(() => expect(updated).toContain('a:two'));
        return updated.includes('a:one');
      })
      .toBe(false);
    await manager.request('it', 'resources/unsubscribe', { uri: 'a:two' });
    // Lists are listened to as before.
    await manager.callTool('it', 'change', {});
    await expect
      .poll(() => manager.getTools('it').find(({ name }) => name === 'echo')?.definition)
      .toMatchObject({
        description: 'Says it backwards',
      });
  });

  it('says who it is and what it can do', async () => {
    const { manager } = await connected(transport);
    expect(manager.states()).toMatchObject([
      {
        health: 'ready',
        restarts: 0,
        server: {
          name: 'newest',
          version: '2.0.0',
          protocol: '2026-07-28',
          instructions: 'Be brief',
          capabilities: { tools: { listChanged: true } },
        },
      },
    ]);
    expect(manager.states()[0]).not.toHaveProperty('problem');
  });

  it('answers a ping, is told who asks, brings back results as it sent them, and tells how far it has come', async () => {
    const { manager } = await connected(transport);
    await expect(manager.request('it', 'ping', {})).resolves.toBeDefined();
    expect(JSON.parse(textOf(await manager.callTool('it', 'meta', {})))).toMatchObject({
      envelope: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'clifford' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    });
    const seen: unknown[] = [];
    await manager.callTool('it', 'progress', {}, { onProgress: (progress) => seen.push(progress) });
    expect(seen.at(-1)).toEqual({ progress: 3, total: 3, message: 'm' });
    expect(await manager.callTool('it', 'whole', {})).toEqual({
      content: [{ type: 'text', text: 'done' }],
      structuredContent: { a: 1 },
      _meta: { 'own/key': 1, 'io.modelcontextprotocol/serverInfo': { name: 'newest', version: '2.0.0' } },
    });
    await expect(manager.callTool('it', 'failing', {})).resolves.toMatchObject({ isError: true });
    await expect(manager.callTool('it', 'nothing', {})).rejects.toMatchObject({
      code: 'CALL_REFUSED',
      cause: { code: -32_602 },
    });
    await expect(manager.request('it', 'resources/read', { uri: 'a:one' })).resolves.toMatchObject({
      contents: [{ text: 'first' }],
    });
    await expect(manager.request('it', 'no/such', {})).rejects.toMatchObject({
      code: 'CALL_REFUSED',
      cause: { code: -32_601 },
    });
    await expect(manager.list('it', 'resources')).resolves.toMatchObject([{ uri: 'a:one' }]);
  });

  it('gets what it asks for in results, until it is content', async () => {
    const { answerServer, asked } = answering();
    const { manager } = await connected(transport, { answerServer });
    expect(JSON.parse(textOf(await manager.callTool('it', 'ask', {})))).toEqual({ kind: 'elicit', ...age });
    expect(asked).toMatchObject([
      {
        method: 'elicitation/create',
        params: { message: 'Who are you?', requestedSchema: { type: 'object' } },
      },
    ]);
    const words = textOf(await manager.callTool('it', 'interview', {}));
    expect(JSON.parse(words)).toEqual([[{ age: 7 }, 'sampling'], { age: 7 }]);
    expect(asked.map(({ method }) => method).toSorted()).toEqual([
      'elicitation/create',
      'elicitation/create',
      'elicitation/create',
      'sampling/createMessage',
    ]);
    await expect(manager.request('it', 'prompts/get', { name: 'grüße' })).resolves.toMatchObject({
      messages: [{ content: { text: 'Hello, 7' } }],
    });
    expect(textOf(await manager.callTool('it', 'later', {}))).toBe('now');
  });

  it('may not ask for ever, nor for what nobody answers', async () => {
    const { answerServer } = answering();
    const { manager } = await connected(transport, { answerServer });
    await expect(manager.callTool('it', 'insist', {})).rejects.toMatchObject({
      code: 'CALL_REFUSED',
      message: 'Cannot run the tool insist of the MCP server it: it asked for input more than 32 times',
    });
    // Its own package does not let it ask for what the client does not offer.
    await expect(manager.callTool('it', 'roots', {})).rejects.toMatchObject({ code: 'CALL_REFUSED' });
    expect(textOf(await manager.callTool('it', 'echo', { words: 'there' }))).toBe('there');
  });

  it('is not asked again when it is refused what it asks for', async () => {
    const { manager } = await connected(transport, {
      answerServer: () => Promise.reject(new Error('nobody is there')),
    });
    await expect(manager.callTool('it', 'interview', {})).rejects.toMatchObject({
      code: 'CALL_REFUSED',
      message: expect.stringMatching(/it asked for \S+, and got no answer: .*nobody is there/) as string,
    });
  });

  it('has its questions withdrawn with the call', async () => {
    const asked = Promise.withResolvers<AbortSignal>();
    const { manager } = await connected(transport, {
      answerServer: (_id, _method, _params, signal) => {
        asked.resolve(signal);
        return once(signal, 'abort').then(() => ({}));
      },
    });
    const stop = new AbortController();
    const call = manager.callTool('it', 'ask', {}, { signal: stop.signal });
    const signal = await asked.promise;
    stop.abort();
    await expect(call).rejects.toMatchObject({ code: 'CALL_CANCELLED' });
    expect(signal.aborted).toBe(true);
    expect(textOf(await manager.callTool('it', 'echo', { words: 'there' }))).toBe('there');
  });

  it.each([
    ['its time is up', { timeoutMs: 2_000 }, 'CALL_TIMED_OUT'],
    ['its caller leaves', {}, 'CALL_CANCELLED'],
    ['its caller leaves and its answer has begun', { onProgress: () => undefined }, 'CALL_CANCELLED'],
  ])('hears when %s, and stays', async (_why, options, code) => {
    const { manager, untilSaid } = await connected(transport);
    const stop = new AbortController();
    const call = manager.callTool('it', 'hang', {}, { signal: stop.signal, ...options });
    call.catch(() => undefined);
    await untilSaid('hanging');
    if (code === 'CALL_CANCELLED') stop.abort();
    await expect(call).rejects.toMatchObject({ code });
    await untilSaid('cancelled');
    expect(textOf(await manager.callTool('it', 'echo', { words: 'there' }))).toBe('there');
    expect(manager.states()).toMatchObject([{ health: 'ready', restarts: 0 }]);
    expect(manager.states()[0]).not.toHaveProperty('problem');
  });

  it('says what it logs, from the level that is wanted on, and when its tools change', async () => {
    const { manager, events } = await connected(transport);
    const logs = () => events.filter(({ kind }) => kind === 'log');
    await manager.callTool('it', 'talk', {});
    expect(logs()).toEqual([]);
    await manager.request('it', 'logging/setLevel', { level: 'info' });
    await manager.callTool('it', 'talk', {});
    await expect.poll(logs).toMatchObject([{ params: { level: 'warning', data: 'mind the gap' } }]);
    const description = () =>
      manager.getTools('it').find(({ name }) => name === 'echo')?.definition['description'];
    expect(description()).toBe('The tool echo');
    await manager.callTool('it', 'change', {});
    await expect.poll(description).toBe('Says it backwards');
  });

  it('that speaks older ones, too, is spoken to in the newest', async () => {
    const { manager } = await connected(transport, { args: ['either'] });
    expect(manager.states()).toMatchObject([{ server: { protocol: '2026-07-28' } }]);
  });
});

it('a program of the revision that crashes costs that call, and is started again', async () => {
  const { manager } = await connected('stdio', { limits: { firstDelayMs: 1 } });
  await expect(manager.callTool('it', 'die', {})).rejects.toMatchObject({
    code: 'SERVER_LOST',
    message:
      'Cannot finish the tool die of the MCP server it: it exited with code 4; it last wrote: the disk is on fire',
  });
  await expect.poll(() => manager.states()).toMatchObject([{ health: 'ready', restarts: 1 }]);
  expect(manager.states()).toMatchObject([{ server: { protocol: '2026-07-28' } }]);
});

it.each([
  ['at once', false],
  ['after a while', true],
])('one over HTTP that is started again %s is reached, and listened to again', async (_when, isAway) => {
  const { manager } = await startManager({ limits: { firstDelayMs: 1 } });
  const server = await startNewest();
  await manager.connect(remote(server.url));
  server.child.kill('SIGKILL');
  await once(server.child, 'exit');
  const isLost = () => manager.states().some(({ health }) => health === 'failed');
  if (isAway) await vi.waitUntil(isLost, { timeout: 20_000 });
  await startNewest({ port: server.port });
  const callEcho = () =>
    manager.callTool('it', 'echo', { words: 'there' }, { timeoutMs: 5_000 }).then(textOf, String);
  await expect.poll(callEcho, { timeout: 20_000 }).toBe('there');
  await manager.callTool('it', 'change', {});
  await expect
    .poll(() => manager.getTools('it').find(({ name }) => name === 'echo')?.definition, { timeout: 20_000 })
    .toMatchObject({ description: 'Says it backwards' });
});

describe('a tool that wants an argument in a header', () => {
  it.each([
    ['plain', 'us-west1', 'us-west1'],
    ['not to be had in one', ' Ünder ', '=?base64?IMOcbmRlciA=?='],
    ['not there', undefined, null],
  ])('gets it over HTTP: %s', async (_what, region, header) => {
    const { manager } = await connected('http');
    const args = region === undefined ? {} : { region };
    expect(JSON.parse(textOf(await manager.callTool('it', 'regional', args)))).toEqual({ ...args, header });
  });

  it('over stdio has none', async () => {
    const { manager } = await connected('stdio');
    expect(JSON.parse(textOf(await manager.callTool('it', 'regional', { region: 'x' })))).toMatchObject({
      header: null,
    });
  });

  it('where it may not want it is left out, and the others are there', async () => {
    const { manager, events } = await connected('http', { args: ['wrong-header'] });
    const names = manager.getTools('it').map(({ name }) => name);
    expect(names).toContain('regional');
    expect(names).not.toContain('wrong');
    expect(events).toContainEqual({
      kind: 'log',
      serverId: 'it',
      params: {
        level: 'warning',
        logger: 'clifford',
        data: 'the tool wrong is left out: its schema has an x-mcp-header where none may be',
      },
    });
  });
});

describe('a server of the revision that is made by hand', () => {
  it('has no tool whose schema nobody can look through, and that costs no other', async () => {
    const deep = `${'{"properties":{"a":'.repeat(5_000)}{}${'}}'.repeat(5_000)}`;
    const results: Record<string, string> = {
      'server/discover': '{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}',
      'tools/list': `{"tools":[{"name":"deep","inputSchema":${deep}},{"name":"flat","inputSchema":{"type":"object"}}]}`,
    };
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        const { id, method } = JSON.parse(body) as { id: unknown; method: string };
        response.setHeader('content-type', 'application/json');
        response.end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${results[method] ?? '{}'}}`);
      });
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { manager, events } = await startManager();
    await manager.connect(remote(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`));
    expect(manager.getTools('it').map(({ name }) => name)).toEqual(['flat']);
    expect(JSON.stringify(events)).toContain('the tool deep is left out: its schema is nested too deeply');
  });

  it('need not say who it is, nor that a result is complete; one bad tool costs no other', async () => {
    const { manager } = await startManager();
    await manager.connect(program('nameless.ts'));
    expect(manager.states()).toMatchObject([
      { health: 'ready', server: { name: 'unnamed', protocol: '2026-07-28' } },
    ]);
    expect(manager.getTools('it').map(({ name }) => name)).toEqual(
      expect.arrayContaining(['echo', 'schemaless']),
    );
    expect(textOf(await manager.callTool('it', 'echo', { words: 'there' }))).toBe('there');
  });

  it.each([
    ['unknown', 'its result is of a type that is not known (someday)'],
    ['empty', 'it asks for input without saying for which'],
    ['broken', 'it asks for input without saying for which'],
    ['many', 'it asks for more than 32 things at once'],
    ['roots', 'it asked for roots/list, and got no answer: Clifford does not answer roots/list'],
  ])('is refused what is not right: %s', async (tool, why) => {
    const { answerServer, asked } = answering();
    const { manager } = await startManager({ answerServer });
    await manager.connect(program('nameless.ts'));
    await expect(manager.callTool('it', tool, {})).rejects.toMatchObject({
      code: 'CALL_REFUSED',
      message: `Cannot run the tool ${tool} of the MCP server it: ${why}`,
    });
    expect(asked).toEqual([]);
  });

  it('has no requests of its own', async () => {
    const { answerServer, asked } = answering();
    const { manager } = await startManager({ answerServer });
    await manager.connect(program('nameless.ts'));
    await manager.callTool('it', 'request', {});
    expect(manager.states()).toMatchObject([
      { problem: 'it sent a request (elicitation/create), which its revision of MCP does not have' },
    ]);
    expect(asked).toEqual([]);
  });

  it('is listened to again when it hangs up, and its lists are read anew', async () => {
    const { manager, events } = await startManager();
    await manager.connect(program('nameless.ts'));
    const counts = async () => textOf(await manager.callTool('it', 'counts', {}));
    expect(JSON.parse(await counts())).toEqual({ listens: 1, lists: 1 });
    const kinds = textOf(await manager.callTool('it', 'kinds', {}));
    // Of all that it says it tells of.
    expect(JSON.parse(kinds)).toEqual({ toolsListChanged: true, promptsListChanged: true });
    await manager.callTool('it', 'hangUp', {});
    await expect.poll(counts, { timeout: 10_000 }).toBe('{"listens":2,"lists":2}');
    expect(events).toContainEqual({ kind: 'prompts', serverId: 'it' });
  });

  it('that does not know how to be listened to is there all the same', async () => {
    const { manager } = await startManager();
    await manager.connect(program('nameless.ts', { args: ['deaf'] }));
    expect(manager.states()).toMatchObject([{ health: 'ready' }]);
    expect(manager.states()[0]).not.toHaveProperty('problem');
  });
});

describe('a server of an older revision', () => {
  it.each([
    ['ends when it is asked for its revision', 'ends', 'initialize'],
    ['says nothing to that', 'silent', 'server/discover,initialize'],
  ])('that %s is there all the same, and is not asked again', async (_what, way, heard) => {
    const { manager } = await startManager({ limits: { firstDelayMs: 1, probeMs: 200 } });
    await manager.connect(program('initialise-first.ts', { args: [way] }));
    expect(textOf(await manager.callTool('it', 'heard', {}))).toBe(heard);
    expect(manager.states()).toMatchObject([{ server: { protocol: '2025-11-25' }, restarts: 0 }]);
    await expect(manager.callTool('it', 'die', {})).rejects.toMatchObject({ code: 'SERVER_LOST' });
    await expect.poll(() => manager.states()).toMatchObject([{ health: 'ready', restarts: 1 }]);
    expect(textOf(await manager.callTool('it', 'heard', {}))).toBe('initialize');
  });

  it('that ends when it is asked may be slow to start', async () => {
    const { manager } = await startManager({ limits: { probeMs: 1 } });
    await manager.connect(program('initialise-first.ts', { args: ['ends'] }));
    expect(textOf(await manager.callTool('it', 'heard', {}))).toBe('initialize');
  });

  it('is what one of the newest is not taken for, however slow it starts', async () => {
    const { manager } = await connected('stdio', { limits: { probeMs: 1 } });
    expect(manager.states()).toMatchObject([{ health: 'ready', server: { protocol: '2026-07-28' } }]);
    expect(textOf(await manager.callTool('it', 'echo', { words: 'there' }))).toBe('there');
  });
});
