import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { digestOf } from '../../../src/lib/digest.ts';
import { program, startManager, textOf } from '../../mcp/support/gateway-servers.ts';

describe('a call', () => {
  it('brings back the result as it was sent, with everything in it', async () => {
    const { manager } = await startManager();
    await manager.connect(program('handy.ts'));

    const args = { nested: { list: [1, 'two', null] }, unicode: '\u2028 👩‍🚀' };
    await expect(manager.callTool('it', 'arguments', args)).resolves.toEqual({
      content: [{ type: 'text', text: 'done' }],
      structuredContent: args,
      _meta: { 'own/key': 1 },
      unknown: [1],
    });
    await expect(manager.callTool('it', 'failing', {})).resolves.toMatchObject({ isError: true });
  });

  it('is refused with what the server says, and its code and data', async () => {
    const { manager } = await startManager();
    await manager.connect(program('handy.ts'));

    await expect(manager.callTool('it', 'refuse', {})).rejects.toMatchObject({
      code: 'CALL_REFUSED',
      message: 'Cannot run the tool refuse of the MCP server it: words are missing',
      cause: { code: -32_602, data: { field: 'words' } },
    });
  });

  it('goes on beside others that take their time', async () => {
    const { manager } = await startManager();
    await manager.connect(program('handy.ts'));
    const stop = new AbortController();
    const hanging = manager.callTool('it', 'hang', {}, { signal: stop.signal });
    const others = Array.from({ length: 50 }, (_, index) => manager.callTool('it', 'echo', { words: index }));

    const results = await Promise.all(others);
    expect(results.map(textOf)).toEqual(Array.from({ length: 50 }, (_, index) => String(index)));

    stop.abort();
    await expect(hanging).rejects.toMatchObject({ code: 'CALL_CANCELLED' });
  });

  it('ends when its time is up, the server is told, and the server stays', async () => {
    const { manager } = await startManager();
    await manager.connect(program('handy.ts'));
    const before = textOf(await manager.callTool('it', 'pid', {}));

    await expect(manager.callTool('it', 'hang', {}, { timeoutMs: 50 })).rejects.toMatchObject({
      code: 'CALL_TIMED_OUT',
      message: 'Cannot wait longer for the tool hang of the MCP server it: it took more than 0.05 s',
      fix: 'Ask for less at once, or raise "timeout" of it in mcp.json',
    });
    expect(textOf(await manager.callTool('it', 'pid', {}))).toBe(before);
  });

  it.each([
    ['its time is up', { timeoutMs: 50 }, 'cancelled: it took more than 50 ms'],
    ['its caller leaves', { signal: AbortSignal.abort() }, undefined],
  ])('when %s the server hears at most once', async (_why, options, heard) => {
    const { manager, stateDir } = await startManager();
    await manager.connect(program('handy.ts'));
    await expect(manager.callTool('it', 'hang', {}, options)).rejects.toThrow('hang');
    await manager.close();
    const said = await stderrOf(stateDir);
    expect(said.match(/cancelled: .*/g) ?? []).toEqual(heard === undefined ? [] : [heard]);
  });

  it('that has ended is not cancelled by a caller who leaves afterwards', async () => {
    const { manager, stateDir } = await startManager();
    await manager.connect(program('handy.ts'));
    const stop = new AbortController();
    await manager.callTool('it', 'echo', { words: 1 }, { signal: stop.signal });
    stop.abort();
    await manager.callTool('it', 'echo', { words: 2 });
    await manager.close();
    await expect(stderrOf(stateDir)).resolves.not.toContain('cancelled');
  });

  it('may have a limit of more milliseconds than a timer can hold', async () => {
    const { manager } = await startManager();
    await manager.connect(program('handy.ts'));
    const result = await manager.callTool('it', 'echo', { words: 'there' }, { timeoutMs: 2 ** 31 });
    expect(textOf(result)).toBe('there');
  });

  it('of a server nobody connected is refused', async () => {
    const { manager } = await startManager();
    await expect(manager.callTool('nobody', 'echo', {})).rejects.toMatchObject({
      code: 'SERVER_UNKNOWN',
      message: 'Cannot call the MCP server nobody: no server of this name is connected',
    });
  });
});

describe('progress', () => {
  it('arrives before the result, the last of it always', async () => {
    const { manager } = await startManager();
    await manager.connect(program('handy.ts'));
    const seen: unknown[] = [];
    await manager.callTool('it', 'progress', { count: 3 }, { onProgress: (progress) => seen.push(progress) });
    expect(seen.at(0)).toEqual({ progress: 1, total: 3, message: 'm' });
    expect(seen.at(-1)).toEqual({ progress: 3, total: 3, message: 'm' });
  });

  it('does not come behind a refusal', async () => {
    const { manager } = await startManager();
    await manager.connect(program('handy.ts'));
    const seen: number[] = [];
    const call = manager.callTool(
      'it',
      'progress',
      { count: 3, refuses: true },
      { onProgress: ({ progress }) => seen.push(progress) },
    );
    await expect(call).rejects.toMatchObject({ code: 'CALL_REFUSED' });
    expect(seen).toEqual([1, 3]);
  });

  it('in a flood is thinned out, and holds up no other server', async () => {
    const { manager } = await startManager();
    await Promise.all([
      manager.connect(program('handy.ts')),
      manager.connect(program('handy.ts', { id: 'other' })),
    ]);
    const seen: number[] = [];
    const flood = manager.callTool(
      'it',
      'progress',
      { count: 100_000 },
      {
        onProgress: ({ progress }) => seen.push(progress),
      },
    );
    expect(textOf(await manager.callTool('other', 'echo', { words: 'meanwhile' }))).toBe('meanwhile');
    expect(textOf(await flood)).toBe('there');
    expect(seen.at(-1)).toBe(100_000);
    expect(seen.length).toBeLessThan(10_000);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  });

  it('nobody asked for is asked of no server', async () => {
    const { manager } = await startManager();
    await manager.connect(program('handy.ts'));
    await expect(manager.callTool('it', 'progress', { count: 2 })).resolves.toMatchObject({
      content: [{ text: 'there' }],
    });
  });
});

describe('what a server asks', () => {
  it('is answered by whoever the manager was given for it', async () => {
    const asked: unknown[] = [];
    const { manager } = await startManager({
      answerServer: async (...[serverId, method, params]) => {
        asked.push({ serverId, method, params });
        return { action: 'accept', content: { colour: 'red' } };
      },
    });
    await manager.connect(program('handy.ts'));
    const question = { message: 'Which colour?', requestedSchema: { type: 'object', properties: {} } };
    const result = await manager.callTool('it', 'ask', { method: 'elicitation/create', params: question });
    expect(JSON.parse(textOf(result))).toMatchObject({
      result: { action: 'accept', content: { colour: 'red' } },
    });
    expect(asked).toEqual([{ serverId: 'it', method: 'elicitation/create', params: question }]);
  });

  it.each(['elicitation/create', 'sampling/createMessage', 'roots/list'])(
    'is refused where nobody answers: %s',
    async (method) => {
      const { manager } = await startManager();
      await manager.connect(program('handy.ts'));
      const result = await manager.callTool('it', 'ask', { method, params: {} });
      expect(JSON.parse(textOf(result))).toMatchObject({ error: { code: -32_601 } });
    },
  );

  it('is not which folders it may touch, even where questions are answered', async () => {
    const { manager } = await startManager({ answerServer: async () => ({ roots: [] }) });
    await manager.connect(program('handy.ts'));
    const result = await manager.callTool('it', 'ask', { method: 'roots/list', params: {} });
    expect(JSON.parse(textOf(result))).toMatchObject({ error: { code: -32_601 } });
  });

  it('may be withdrawn, even the request with the id 0', async () => {
    const asked = Promise.withResolvers<void>();
    const withdrawn = Promise.withResolvers<unknown>();
    const { manager } = await startManager({
      answerServer: (_id, _method, _params, signal) =>
        new Promise((_resolve, reject) => {
          asked.resolve();
          signal.addEventListener('abort', () => {
            withdrawn.resolve(String(signal.reason));
            reject(new Error('withdrawn'));
          });
        }),
    });
    await manager.connect(program('handy.ts'));
    const call = manager.callTool('it', 'ask', { method: 'sampling/createMessage', params: {} });
    await asked.promise;
    await manager.callTool('it', 'withdraw', {});
    await expect(withdrawn.promise).resolves.toContain('withdrew');
    expect(textOf(await call)).toContain('error');
  });

  it('and withdraws in the same breath is asked of nobody', async () => {
    const asked: string[] = [];
    const { manager } = await startManager({
      answerServer: async (_id, method) => {
        asked.push(method);
        return {};
      },
    });
    await manager.connect(program('handy.ts'));
    await manager.callTool('it', 'hesitate', { method: 'sampling/createMessage' });
    expect(asked).toEqual([]);
  });
});

describe('a server that asks and asks', () => {
  it('has 32 questions open at most', async () => {
    const asked: AbortSignal[] = [];
    const { manager } = await startManager({
      answerServer: (_id, _method, _params, signal) =>
        new Promise((_resolve, reject) => {
          asked.push(signal);
          signal.addEventListener('abort', () => reject(new Error('gone')));
        }),
    });
    await manager.connect(program('handy.ts'));
    const result = await manager.callTool('it', 'insist', { count: 40, method: 'sampling/createMessage' });
    expect(JSON.parse(textOf(result))).toMatchObject({
      error: { message: expect.stringContaining('32 requests wait for an answer already') as string },
    });
    expect(asked).toHaveLength(32);
    await manager.close();
    expect(asked.every(({ aborted }) => aborted)).toBe(true);
  });
});

describe('the tools of a server', () => {
  it('are known as they were sent, with a digest of all that is in them', async () => {
    const { manager } = await startManager();
    await manager.connect(program('handy.ts'));
    const definition = {
      name: 'echo',
      description: 'The tool echo',
      inputSchema: { type: 'object' },
      'x-own': { kept: true },
    };
    expect(manager.getTools('it').find(({ name }) => name === 'echo')).toEqual({
      serverId: 'it',
      name: 'echo',
      definition,
      digest: digestOf(definition),
    });
    expect(digestOf({ ...definition, 'x-own': { kept: false } })).not.toBe(digestOf(definition));
    expect(digestOf({ a: 1, b: { d: 1, c: 2 } })).toBe(digestOf({ b: { c: 2, d: 1 }, a: 1 }));
  });

  it('that change while they are listed are listed again', async () => {
    const { manager } = await startManager();
    await manager.connect(program('handy.ts', { args: ['restless'] }));
    await expect
      .poll(() => manager.getTools('it').find(({ name }) => name === 'echo')?.definition)
      .toMatchObject({ description: 'Says it backwards' });
  });

  it('that cannot be listed yet are asked for again', async () => {
    const { manager } = await startManager({ limits: { firstDelayMs: 1 } });
    await manager.connect(program('handy.ts', { args: ['unready'] }));
    await expect.poll(() => manager.getTools('it').length).toBeGreaterThan(0);
    await expect.poll(() => manager.states()).toMatchObject([{ health: 'ready', restarts: 0 }]);
    expect(manager.states()[0]).not.toHaveProperty('problem');
  });

  it('that are said to have changed and have not are no news', async () => {
    const { manager, events } = await startManager();
    await manager.connect(program('handy.ts'));
    await manager.callTool('it', 'rumour', {});
    await expect.poll(async () => Number(textOf(await manager.callTool('it', 'lists', {})))).toBe(2);
    await manager.callTool('it', 'change', {});
    await expect.poll(() => events.filter(({ kind }) => kind === 'tools')).toHaveLength(2);
    expect(textOf(await manager.callTool('it', 'lists', {}))).toBe('3');
  });

  it('are listed again when they change, and everybody is told', async () => {
    const { manager, events } = await startManager();
    await manager.connect(program('handy.ts'));
    const digest = () => manager.getTools('it').find(({ name }) => name === 'echo')?.digest;
    const before = digest();
    await manager.callTool('it', 'change', {});
    await expect.poll(digest).not.toBe(before);
    const lists = events.filter(({ kind }) => kind === 'tools');
    expect(lists).toHaveLength(2);
  });
});

async function stderrOf(stateDir: string): Promise<string> {
  return readFile(join(stateDir, 'mcp/it.log'), 'utf8');
}
