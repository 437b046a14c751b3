import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reach } from '../../../src/cli/mcp/reach.ts';
import { untilFile } from '../../helpers/until-file.ts';
import { program, startManager } from '../../mcp/support/gateway-servers.ts';
import { mcp, mcpJson, mcpProject, server, startMcp, trustedProject } from './mcp-command.ts';

const policy = {
  allowlist: [{ server: 'fs', tool: 'read_*' }],
  denylist: [{ server: 'fs', tool: 'move_file' }],
};

describe('clifford mcp list', () => {
  it('shows real servers with their tools, and what the policy says of them', async () => {
    const servers = {
      fs: server('filesystem', { args: ['.'] }),
      every: server('everything'),
      old: server('handy.ts', { disabled: true }),
    };
    const root = await trustedProject({ servers, policy });
    const { code, out, err } = await mcp(root, ['list']);
    expect(err).toBe('');
    expect(out.split('\n')).toEqual([
      'SERVER  TRANSPORT  STATE     TOOLS  POLICY',
      'fs      stdio      ready     14     allow 4, confirm 9, deny 1',
      'every   stdio      ready     13     confirm 13',
      'old     stdio      disabled  -      -',
      '',
    ]);
    expect(code).toBe(0);
  });

  it('starts nothing that nobody has trusted, and ends with 1', async () => {
    const root = await mcpProject({ servers: { crash: server('crash-at-start.ts', { args: ['started'] }) } });
    const { code, out } = await mcp(root, ['list']);
    expect(code).toBe(1);
    expect(out).toContain('crash   stdio      untrusted  -      -\n');
    expect(out.replaceAll('\n', ' ')).toMatch(/Nothing was started: .* trust it, with: clifford mcp trust/);
    expect(existsSync(join(root, 'started'))).toBe(false);
  });

  it('shows a broken server with its exit code, its last words and its variables by name, and ends with 1', async () => {
    const env = { API_KEY: 'sk-0123456789abcdef0123' };
    const crash = server('crash-at-start.ts', { args: ['started', '--token=very-secret-indeed'], env });
    const root = await trustedProject({ servers: { crash, fine: server('handy.ts') } });
    const { code, out } = await mcp(root, ['list']);
    expect(code).toBe(1);
    expect(out).toMatch(/^crash {3}stdio {6}broken {2}- {6}-$/m);
    expect(out).toMatch(/^fine {4}stdio {6}ready {3}\d+ {5}confirm \d+$/m);
    expect(out).toContain('crash: it exited with code 3; it last wrote: Error: no licence found\n');
    expect(out).toContain('API_KEY=•••');
    expect(out).toContain('--token=•••');
    expect(out).toContain('    stderr   .clifford/mcp/crash.log\n');
    expect(out).not.toMatch(/very-secret-indeed|sk-0123/);
  });

  it('does not wait for a server that says nothing, and shows the others', async () => {
    const silent = server('never-initialised.ts', { startTimeout: 300 });
    const root = await trustedProject({ servers: { silent, fine: server('handy.ts') } });
    const { code, json } = await mcpJson(root, ['list']);
    expect(code).toBe(1);
    expect(json).toMatchObject({
      ok: false,
      trusted: true,
      servers: [
        { id: 'silent', state: 'broken', problem: expect.stringContaining('within 0.3 s') },
        { id: 'fine', state: 'ready', server: { name: 'fixture', version: '1.2.3' } },
      ],
    });
  });

  it('tells of a mistake in one entry, and starts the others', async () => {
    const servers = {
      wrong: server('handy.ts', { env: { TOKEN: '${CLIFFORD_NO_SUCH_VARIABLE}' } }),
      fine: server('handy.ts'),
    };
    const root = await trustedProject({ servers });
    const { code, out } = await mcp(root, ['list']);
    expect(code).toBe(1);
    expect(out).toMatch(/^fine .* ready /m);
    expect(out.replaceAll(/\s+/g, ' ')).toContain(
      'servers.wrong.env.TOKEN uses the variable CLIFFORD_NO_SUCH_VARIABLE, which is not set',
    );
    // Beside its server, and not among what is wrong with the whole file.
    expect(out.split('CLIFFORD_NO_SUCH_VARIABLE')).toHaveLength(2);
  });

  it('has nothing to show where there is no file', async () => {
    const root = await mcpProject('{}');
    expect(await mcp(root, ['list'])).toMatchObject({ code: 0, out: 'mcp.json has no servers\n' });
  });

  it('says in plain words which program, or which folder, is not there', async () => {
    const gone = { command: 'no-such-program-here' };
    const root = await trustedProject({ servers: { gone, lost: server('handy.ts', { cwd: 'nowhere' }) } });
    const { out } = await mcp(root, ['list']);
    expect(out).toContain('\ngone: it could not be started: no-such-program-here is not on the PATH\n');
    expect(out.replaceAll(/\s+/g, ' ')).toContain(
      `lost: it could not be started: there is no folder ${join(root, 'nowhere')}`,
    );
  });

  it('does not say that a file without JSON in it has no servers', async () => {
    const root = await mcpProject('{ "servers": ');
    const { code, out } = await mcp(root, ['list']);
    expect(code).toBe(1);
    expect(out.replaceAll(/\s+/g, ' ').trim()).toMatch(
      /^Cannot read \S+mcp\.json:1:14: it is not JSON: unexpected end of input$/,
    );
  });

  it('ends its servers at Ctrl-C', async () => {
    const root = await trustedProject({ servers: { silent: server('never-initialised.ts') } });
    const list = startMcp(root, ['list']);
    await untilFile(join(root, '.clifford/mcp/silent.log'));
    list.kill('SIGINT');
    expect(await list.ended).toMatchObject({ code: 130, out: '' });
  });
});

describe('a server that takes long', () => {
  it('is given up when the command has waited enough', async () => {
    const { manager } = await startManager();
    const found = await reach(manager, program('never-initialised.ts'), 50);
    expect(found).toMatchObject({ isReady: false, problem: 'it is not ready after 50 ms' });
  });
});
