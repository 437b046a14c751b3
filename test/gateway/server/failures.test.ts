import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nextAttempt } from '../../../src/gateway/server/next-attempt.ts';
import { MANAGER_LIMITS } from '../../../src/gateway/server/manager-limits.ts';
import { tempRoot } from '../../helpers/temp-project.ts';
import { failureOf, program, runs, startManager, textOf } from '../../mcp/support/gateway-servers.ts';

describe('a server that is killed in mid-call', () => {
  it('costs that call, is started again, and others go on', async () => {
    const { manager } = await startManager({ limits: { firstDelayMs: 10 } });
    await Promise.all([
      manager.connect(program('handy.ts')),
      manager.connect(program('handy.ts', { id: 'other' })),
    ]);
    const pid = Number(textOf(await manager.callTool('it', 'pid', {})));
    const hanging = manager.callTool('it', 'hang', {});
    process.kill(pid, 'SIGKILL');

    await expect(hanging).rejects.toMatchObject({
      code: 'SERVER_LOST',
      message: 'Cannot finish the tool hang of the MCP server it: it was ended by SIGKILL',
      fix: 'It is started again: check whether the call took effect before you repeat it',
    });
    expect(textOf(await manager.callTool('other', 'echo', { words: 'still here' }))).toBe('still here');
    await expect
      .poll(() => manager.states().find(({ id }) => id === 'it'))
      .toMatchObject({
        health: 'ready',
        restarts: 1,
        toolCount: manager.getTools('it').length,
      });
    expect(textOf(await manager.callTool('it', 'pid', {}))).not.toBe(String(pid));
  });

  it('is started at once for the next call, however long it would have waited', async () => {
    const { manager } = await startManager({ limits: { firstDelayMs: 10_000_000 } });
    await manager.connect(program('handy.ts'));
    await expect(manager.callTool('it', 'die', { code: 7 })).rejects.toThrow(
      'Cannot finish the tool die of the MCP server it: it exited with code 7; it last wrote: the disk is on fire',
    );
    expect(manager.states()).toMatchObject([
      { health: 'down', problem: 'it exited with code 7; it last wrote: the disk is on fire' },
    ]);
    expect(textOf(await manager.callTool('it', 'echo', { words: 'back' }))).toBe('back');
    expect(manager.states()).toMatchObject([{ health: 'ready', restarts: 1 }]);
    expect(manager.states()[0]).not.toHaveProperty('problem');
  });
});

describe('a server that dies again and again', () => {
  it('is given up, unless it was there for a while each time', async () => {
    const limits = { attempts: 2, firstDelayMs: 1 };
    for (const [healthyAfterMs, last] of [[1_000_000, 'failed'] as const, [0, 'ready'] as const]) {
      const { manager } = await startManager({ limits: { ...limits, healthyAfterMs } });
      await manager.connect(program('handy.ts'));
      await expect(manager.callTool('it', 'die', { code: 1 })).rejects.toMatchObject({ code: 'SERVER_LOST' });
      await expect.poll(() => manager.states()).toMatchObject([{ health: 'ready', restarts: 1 }]);
      await expect(manager.callTool('it', 'die', { code: 1 })).rejects.toMatchObject({ code: 'SERVER_LOST' });
      await expect.poll(() => manager.states()).toMatchObject([{ health: last }]);
    }
  });

  it('waits twice as long each time', () => {
    const delays = [1, 2, 3, 4, 5].map((failures) =>
      nextAttempt(failures, { ...MANAGER_LIMITS, attempts: 5 }),
    );
    expect(delays).toEqual([
      { delayMs: 500 },
      { delayMs: 1_000 },
      { delayMs: 2_000 },
      { delayMs: 4_000 },
      'give-up',
    ]);
    expect(nextAttempt(20, { ...MANAGER_LIMITS, attempts: 50 })).toEqual({ delayMs: 30_000 });
  });
});

describe('a server that does not read', () => {
  it('is ended before what waits for it fills our memory', async () => {
    const { manager } = await startManager();
    await manager.connect(program('handy.ts'));
    await manager.callTool('it', 'deaf', {});
    const calls = ['x'.repeat(70 * 1024 * 1024), 'more'].map((words) =>
      manager.callTool('it', 'echo', { words }),
    );
    for (const call of await Promise.allSettled(calls))
      expect(call).toMatchObject({
        status: 'rejected',
        reason: {
          code: 'SERVER_LOST',
          message: expect.stringContaining('it does not read what it is sent') as string,
        },
      });
    expect(textOf(await manager.callTool('it', 'echo', { words: 'new' }))).toBe('new');
  });
});

describe('a server that comes to a standstill', () => {
  it('is replaced after a call that ran out of time', async () => {
    const { manager } = await startManager({ limits: { pingMs: 100, firstDelayMs: 10 } });
    await manager.connect(program('handy.ts'));
    const pid = Number(textOf(await manager.callTool('it', 'pid', {})));
    await expect(manager.callTool('it', 'block', {}, { timeoutMs: 50 })).rejects.toMatchObject({
      code: 'CALL_TIMED_OUT',
    });
    await expect.poll(() => manager.states()).toMatchObject([{ health: 'ready', restarts: 1 }]);
    expect(runs(pid)).toBe(false);
    expect(textOf(await manager.callTool('it', 'echo', { words: 'new' }))).toBe('new');
  });
});

describe('what a server prints', () => {
  it('to stdout and is no message costs nothing, is kept, and is said', async () => {
    const { manager, stateDir } = await startManager();
    await manager.connect(program('handy.ts'));
    // `loading...` stands in front of the result, without a newline.
    expect(textOf(await manager.callTool('it', 'noise', {}))).toBe('quiet now');
    expect(manager.states()).toMatchObject([
      { health: 'ready', problem: 'it prints something other than messages to stdout: Debugger attached.' },
    ]);
    const log = await readFile(join(stateDir, 'mcp/it.log'), 'utf8');
    expect(log).toContain('[clifford] no message on stdout: Debugger attached.\n');
  });

  it('as an answer that cannot be read costs that call, at once', async () => {
    const { manager } = await startManager();
    await manager.connect(program('handy.ts'));
    await expect(manager.callTool('it', 'garble', {})).rejects.toMatchObject({
      code: 'CALL_REFUSED',
      message: 'Cannot run the tool garble of the MCP server it: its answer is not a JSON-RPC response',
    });
  });

  it('as one message of 100 MB ends its link with the reason, and it comes back', async () => {
    const { manager } = await startManager();
    await manager.connect(program('handy.ts'));
    await expect(manager.callTool('it', 'large', { bytes: 100_000_000 })).rejects.toMatchObject({
      code: 'SERVER_LOST',
      message: 'Cannot finish the tool large of the MCP server it: it sent a message of more than 32 MiB',
    });
    expect(textOf(await manager.callTool('it', 'echo', { words: 'again' }))).toBe('again');
  });

  it('as one message may be large, and is whole', async () => {
    const { manager } = await startManager();
    await manager.connect(program('handy.ts'));
    expect(textOf(await manager.callTool('it', 'large', { bytes: 30_000_000 })).length).toBe(30_000_000);
  });

  it('to stderr, 100 MB of it, is drained into two files of 5 MiB that only the owner can read', async () => {
    const { manager, stateDir } = await startManager();
    await manager.connect(program('handy.ts'));
    expect(textOf(await manager.callTool('it', 'complain', { bytes: 100_000_000 }))).toBe('said it');
    await manager.close();
    for (const name of ['it.log', 'it.log.1']) {
      const { size, mode } = await stat(join(stateDir, 'mcp', name));
      expect(size).toBeLessThanOrEqual(5 * 1024 * 1024);
      expect(mode & 0o777).toBe(0o600);
    }
    expect((await stat(join(stateDir, 'mcp'))).mode & 0o777).toBe(0o700);
  });

  it('by itself, in a flood, is thinned out, and a change is never missed', async () => {
    const { manager, events } = await startManager();
    await manager.connect(program('handy.ts'));
    await manager.callTool('it', 'chatter', { count: 10_000 });
    await expect
      .poll(() => events.map(({ kind }) => kind))
      .toEqual(expect.arrayContaining(['resources', 'prompts']));
    expect(events.filter(({ kind }) => kind === 'log').length).toBeLessThan(2_000);
    expect(events.find(({ kind }) => kind === 'log')).toEqual({
      kind: 'log',
      serverId: 'it',
      params: { level: 'info', data: 0 },
    });
  });
});

describe('a server that does not start', () => {
  it('is said to be so, with its exit and what it wrote', async () => {
    const { manager } = await startManager();
    const file = join(await tempRoot(), 'starts');
    await expect(manager.connect(program('crash-at-start.ts', { args: [file] }))).rejects.toMatchObject({
      code: 'SERVER_UNREACHABLE',
      message:
        'Cannot reach the MCP server it: it exited with code 3; it last wrote: Error: no licence found',
      fix: 'Check its entry in mcp.json with `clifford mcp doctor`; what a program writes to stderr is in .clifford/mcp/it.log',
    });
  });

  it('since it stopped reading before it ended, is said to be so with its exit', async () => {
    const { manager } = await startManager({ limits: { attempts: 1 } });
    const result = {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'sh', version: '1' },
    };
    const answer = JSON.stringify({ jsonrpc: '2.0', id: 0, result });
    // It answers `initialize` once its end of the pipe is closed: what is sent next cannot be written.
    const script = `read -r line; exec 0<&-; echo '${answer}'; sleep 0.1; exit 3`;
    const deaf = { ...program('handy.ts'), command: '/bin/sh', args: ['-c', script] };
    await expect(manager.connect(deaf)).rejects.toThrow('it exited with code 3');
  });

  it('since there is no such program, is said to be so', async () => {
    const { manager } = await startManager();
    const config = { ...program('handy.ts'), command: 'no-such-program-anywhere' };
    await expect(manager.connect(config)).rejects.toThrow(
      'Cannot reach the MCP server it: it could not be started: no-such-program-anywhere is not on the PATH',
    );
  });

  it('is tried a few times, then with each call', async () => {
    const { manager, events } = await startManager({ limits: { attempts: 3, firstDelayMs: 1 } });
    const file = join(await tempRoot(), 'starts');
    const starts = async () => (await readFile(file, 'utf8')).trim().split('\n').length;
    await expect(manager.connect(program('crash-at-start.ts', { args: [file] }))).rejects.toThrow('code 3');
    await expect.poll(() => manager.states()).toMatchObject([{ health: 'failed' }]);
    // Once more than it was tried: at first it may be the question for its revision that ended it.
    await expect(starts()).resolves.toBe(4);
    await expect(manager.callTool('it', 'any', {})).rejects.toMatchObject({ code: 'SERVER_UNREACHABLE' });
    await expect(starts()).resolves.toBe(5);
    expect(manager.states()).toMatchObject([{ health: 'failed', restarts: 3 }]);
    const health = events.flatMap((event) => (event.kind === 'state' ? [event.state.health] : []));
    const attempt = ['starting', 'down'];
    expect(health).toEqual([...attempt, ...attempt, 'starting', 'failed', 'starting', 'failed']);
  });

  it('holds up no call longer than the call may take', async () => {
    const { manager } = await startManager();
    const connecting = manager.connect(program('never-initialised.ts'));
    const refused = failureOf(connecting);
    await expect.poll(() => manager.states()).toMatchObject([{ health: 'starting' }]);
    await expect(manager.callTool('it', 'any', {}, { timeoutMs: 20 })).rejects.toMatchObject({
      code: 'CALL_TIMED_OUT',
    });
    await manager.close();
    expect(await refused).toMatchObject({ code: 'SERVER_UNREACHABLE' });
  });
});

describe('the list of tools', () => {
  it('of 10,000 in pages is whole, without the few that are none', async () => {
    const { manager } = await startManager();
    await manager.connect(program('many-tools.ts'));
    expect(manager.getTools('it').map(({ name }) => name)).toEqual(
      Array.from({ length: 10_000 }, (_, index) => `tool_${index}`),
    );
    expect(manager.states()).toMatchObject([
      {
        health: 'ready',
        toolCount: 10_000,
        problem: '4 of its tools cannot be read; 1 of its tools have the name of another',
      },
    ]);
  });

  it('of 10,000 on one page is whole', async () => {
    const { manager } = await startManager();
    await manager.connect(program('many-tools.ts', { args: ['10000', '10000'] }));
    expect(manager.getTools('it')).toHaveLength(10_000);
  });

  it('that goes round in circles ends where the circle closes', async () => {
    const { manager } = await startManager();
    await manager.connect(program('endless-pages.ts', { args: ['same'] }));
    expect(manager.getTools('it').map(({ name }) => name)).toEqual(['tool_1', 'tool_2']);
    expect(manager.states()).toMatchObject([
      { health: 'ready', problem: 'its list of tools returns a page that it returned before' },
    ]);
    expect(textOf(await manager.callTool('it', 'tool_1', {}))).toBe('2');
  });

  it('that never ends is cut off', async () => {
    const { manager } = await startManager();
    await manager.connect(program('endless-pages.ts'));
    expect(manager.getTools('it')).toHaveLength(1_000);
    expect(manager.states()).toMatchObject([{ problem: 'its list of tools has more than 1000 pages' }]);
  });
});

describe('other lists', () => {
  it('are followed to the last page, and empty where there are none', async () => {
    const { manager } = await startManager();
    await manager.connect(program('handy.ts'));
    await expect(manager.list('it', 'resources')).resolves.toEqual([
      { uri: 'a:1', name: 'one' },
      { uri: 'a:2', name: 'two' },
    ]);
    await manager.connect(program('many-tools.ts'));
    await expect(manager.list('it', 'prompts')).resolves.toEqual([]);
  });
});
