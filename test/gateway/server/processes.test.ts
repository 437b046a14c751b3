import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ChildTransport } from '../../../src/gateway/transport/child-transport.ts';
import { StderrLog } from '../../../src/gateway/transport/stderr-log.ts';
import { Watchdog } from '../../../src/lib/processes/group-guard.ts';
import { fixtureProgram } from '../../helpers/fixture-program.ts';
import { tempRoot } from '../../helpers/temp-project.ts';
import {
  failureOf,
  program,
  published,
  runs,
  startManager,
  textOf,
} from '../../mcp/support/gateway-servers.ts';

const owner = fixtureProgram('processes/manager-owner.ts');

describe('the environment of a server', () => {
  it('is what every program needs and what was configured, and nothing else', async () => {
    const env = {
      ...process.env,
      FOO_SECRET: 'of ours',
      GITHUB_TOKEN: 'of ours',
      AWS_SECRET_ACCESS_KEY: 'of ours',
      BASH_FUNC: '() { :; }',
      SHELL: '() { :; }',
      HOME: '/home/ada',
    };
    const { manager } = await startManager({ env });
    await manager.connect(program('handy.ts', { env: { OWN_KEY: 'its own', PATH: '/its/path' } }));
    const seen = JSON.parse(textOf(await manager.callTool('it', 'environment', {}))) as object;
    const allowed = ['HOME', 'LOGNAME', 'PATH', 'TERM', 'USER', 'OWN_KEY'];
    expect(allowed).toEqual(expect.arrayContaining(Object.keys(seen)));
    expect(seen).toMatchObject({ OWN_KEY: 'its own', PATH: '/its/path', HOME: '/home/ada' });
    expect(JSON.stringify(seen)).not.toContain('of ours');
  });

  it('is no other for a published server', async () => {
    const env = { ...process.env, FOO_SECRET: 'of ours' };
    const { manager } = await startManager({ env });
    await manager.connect(program(published.everything, { env: { OWN_KEY: 'its own' } }));
    const seen = textOf(await manager.callTool('it', 'get-env', {}));
    expect(seen).toContain('its own');
    expect(seen).not.toContain('FOO_SECRET');
  });

  it('keeps its secrets out of what is said of the server', async () => {
    const { manager } = await startManager();
    const config = program('handy.ts', {
      args: [],
      env: { API_KEY: 'quite-a-long-secret' },
      command: process.execPath,
    });
    const script = "console.error('bad key quite-a-long-secret'); process.exit(1)";
    await expect(manager.connect({ ...config, args: ['-e', script] })).rejects.toThrow('code 1');
    expect(manager.states()).toMatchObject([
      { problem: expect.stringContaining('it last wrote: bad key [redacted:API_KEY]') as string },
    ]);
  });
});

describe('a server that is not initialised in its time', () => {
  it('is given up, and nothing of it is left', async () => {
    const { manager } = await startManager({ limits: { attempts: 1 } });
    const config = program('never-initialised.ts', { startTimeoutMs: 300 });
    await expect(manager.connect(config)).rejects.toThrow(
      'Cannot reach the MCP server it: it did not answer `initialize` within 0.3 s',
    );
    expect(manager.states()).toMatchObject([{ health: 'failed' }]);
    expect(childrenOf(process.pid)).not.toContain('never-initialised.mjs');
  });
});

describe('closing', () => {
  it('ends a server that heeds no signal, and what servers have started', async () => {
    const { manager } = await startManager({ limits: { stopGraceMs: 50 } });
    await Promise.all([
      manager.connect(program('stubborn.ts', { id: 'stubborn' })),
      manager.connect(program('handy.ts')),
    ]);
    const stubborn = Number(textOf(await manager.callTool('stubborn', 'pid', {})));
    const grandchild = Number(textOf(await manager.callTool('it', 'fork', {})));
    expect([runs(stubborn), runs(grandchild)]).toEqual([true, true]);
    await manager.close();
    expect([runs(stubborn), runs(grandchild)]).toEqual([false, false]);
    await expect.poll(() => shellsOf(process.pid)).toEqual([]);
    expect(manager.states()).toEqual([]);
  });

  it('of a server that has died by itself ends what it left, before it is started again', async () => {
    const { manager } = await startManager({ limits: { stopGraceMs: 200, firstDelayMs: 1 } });
    await manager.connect(program('handy.ts'));
    const grandchild = Number(textOf(await manager.callTool('it', 'fork', {})));
    await expect(manager.callTool('it', 'die', { code: 1 })).rejects.toMatchObject({ code: 'SERVER_LOST' });
    expect(textOf(await manager.callTool('it', 'echo', { words: 'anew' }))).toBe('anew');
    expect(runs(grandchild)).toBe(false);
  });

  it('at the very moment a program is started ends it', async () => {
    const config = program('stubborn.ts');
    const watchdog = new Watchdog(() => undefined);
    const stderr = new StderrLog(join(await tempRoot(), 'it.log'), () => undefined);
    const transport = new ChildTransport({
      config,
      watchdog,
      stderr,
      maxMessageBytes: 1_000,
      stopGraceMs: 20,
      env: { PATH: process.env['PATH'] ?? '' },
    });
    const starting = transport.start();
    await transport.close();
    await starting;
    expect(childrenOf(process.pid)).not.toContain('stubborn.mjs');
  });

  it('while a server starts leaves nothing of it', async () => {
    const { manager } = await startManager();
    const connecting = manager.connect(program('never-initialised.ts'));
    const refused = failureOf(connecting);
    await manager.close();
    expect(await refused).toMatchObject({ code: 'SERVER_UNREACHABLE' });
    expect(childrenOf(process.pid)).not.toContain('never-initialised.mjs');
  });

  it('while a server is about to be started again leaves nothing of it', async () => {
    const { manager } = await startManager({ limits: { stopGraceMs: 200 } });
    await manager.connect(program('handy.ts'));
    // Until this is killed the server is not started again.
    await manager.callTool('it', 'fork', {});
    await expect(manager.callTool('it', 'die', { code: 1 })).rejects.toMatchObject({ code: 'SERVER_LOST' });
    const next = failureOf(manager.callTool('it', 'echo', { words: 'too late' }));
    expect(manager.states()).toMatchObject([{ health: 'down' }]);
    await manager.close();
    expect(await next).toMatchObject({ code: 'SERVER_UNREACHABLE' });
    expect(childrenOf(process.pid)).not.toContain('handy.mjs');
  });

  it('tells whoever waits for a result', async () => {
    const { manager } = await startManager();
    await manager.connect(program('handy.ts'));
    const hanging = manager.callTool('it', 'hang', {});
    const lost = failureOf(hanging);
    await manager.close();
    expect(await lost).toMatchObject({ code: 'SERVER_LOST' });
  });
});

describe('connecting twice at once', () => {
  it('leaves one server of that id', async () => {
    const { manager } = await startManager();
    await Promise.allSettled([manager.connect(program('handy.ts')), manager.connect(program('handy.ts'))]);
    expect(childrenOf(process.pid).match(/handy\.mjs/g)).toHaveLength(1);
    expect(textOf(await manager.callTool('it', 'echo', { words: 'the second' }))).toBe('the second');
  });

  it('ends the one that was there', async () => {
    const { manager } = await startManager();
    await manager.connect(program('handy.ts'));
    const pid = Number(textOf(await manager.callTool('it', 'pid', {})));
    await manager.connect(program('handy.ts'));
    expect(runs(pid)).toBe(false);
  });
});

describe('when the process that owns the manager is killed', () => {
  it('no server outlives it for long', async () => {
    const root = await tempRoot();
    const child = spawn(
      process.execPath,
      [owner, join(root, '.clifford'), fixtureProgram('mcp-servers/stubborn.ts')],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    const [said] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
    const [{ text }] = JSON.parse(said) as [{ text: string }];
    const pid = Number(text);
    expect(runs(pid)).toBe(true);
    child.kill('SIGKILL');
    await expect.poll(() => runs(pid)).toBe(false);
  });

  it('a watchdog that was killed itself has been replaced', async () => {
    const { manager } = await startManager();
    await manager.connect(program('stubborn.ts'));
    const [first = 0] = shellsOf(process.pid);
    expect(first).toBeGreaterThan(0);
    // It is not started twice within a second: until then the first has to be there.
    await expect.poll(() => ageMs(first)).toBeGreaterThan(1_100);
    process.kill(first, 'SIGKILL');
    await expect.poll(() => shellsOf(process.pid).filter((pid) => pid !== first)).toHaveLength(1);
    await manager.close();
    await expect.poll(() => shellsOf(process.pid)).toEqual([]);
  });
});

/** The watchdogs of a process. */
function shellsOf(parent: number): number[] {
  return childPids(parent).filter((pid) => commandOf(pid).startsWith('/bin/sh\0-c'));
}

function childrenOf(parent: number): string {
  return childPids(parent).map(commandOf).join('\n');
}

function childPids(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => runs(pid) && statOf(pid)[1] === String(parent));
}

/** What stands behind the name of a process in its `stat`: its state, its parent, … */
function statOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** How long a process has been there: its start is in hundredths of a second since the machine's. */
function ageMs(pid: number): number {
  const uptimeMs = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]) * 1_000;
  return uptimeMs - Number(statOf(pid)[19]) * 10;
}
