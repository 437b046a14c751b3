import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clifford } from '../../helpers/clifford-process.ts';
import { describeOnEachEngine } from '../../helpers/each-engine.ts';
import { allowAll, fixture } from '../../mcp/support/gateway-agent.ts';
import { runs } from '../../mcp/support/gateway-servers.ts';
import { textOf } from '../../mcp/support/connect-agent.ts';
import { untilLogged } from '../../mcp/support/project-log.ts';
import { servedHere, servedProject } from './served-project.ts';

/** What goes wrong in the middle of a call, and what the agent is told of it. */
const failures = [
  ['exits', 'die', { code: 7 }, 'it exited with code 7; it last wrote: the disk is on fire'],
  ['hangs', 'hang', {}, 'it took more than 2 s'],
  ['returns 100 MB', 'large', { bytes: 100_000_000 }, 'it sent a message of more than 32 MiB'],
  ['says no', 'refuse', {}, 'words are missing'],
] as const;

const policy = allowAll;

describeOnEachEngine('a server that in the middle of a call', () => {
  it.each(failures)(
    '%s: the call says so, another server goes on, and it serves again',
    async (_what, tool, args, told) => {
      const limit = tool === 'hang' ? { timeout: 2_000 } : {};
      const servers = { it: fixture('handy.ts', limit), other: fixture('handy.ts') };
      // What is most of all for the memory of the program is left to it.
      const served = tool === 'large' ? servedProject : servedHere;
      const { call, text, root } = await served({ servers, policy });
      const pid = Number(await text('mcp__other__pid', {}));
      const failing = call(`mcp__it__${tool}`, args);
      expect(await text('mcp__other__echo', { words: 'meanwhile' })).toBe('meanwhile');
      const result = await failing;
      expect(result.isError).toBe(true);
      expect(textOf(result)).toMatch(
        /^Cannot (run|finish|wait longer for) the tool \w+ of the MCP server it: /,
      );
      expect(textOf(result)).toContain(`${tool} of the MCP server it: ${told}`);
      expect(await text('mcp__it__echo', { words: 'again' })).toBe('again');
      expect(Number(await text('mcp__other__pid', {}))).toBe(pid);
      expect(await clifford(['replay', '--verify'], { cwd: root })).toMatchObject({ code: 0 });
    },
  );

  it('is killed: the call says so, another server goes on, and it serves again', async () => {
    const servers = { it: fixture('handy.ts'), other: fixture('handy.ts') };
    const { call, text, project, root } = await servedProject({ servers, policy });
    const pid = Number(await text('mcp__it__pid', {}));
    const hanging = call('mcp__it__hang', { saying: 'it has the call' });
    // A call that was allowed, but not sent yet, would go to the server that is started instead.
    await expect
      .poll(() => readFile(join(root, '.clifford/mcp/it.log'), 'utf8').catch(() => ''))
      .toContain('it has the call');
    process.kill(pid, 'SIGKILL');
    const result = await hanging;
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain(
      'Cannot finish the tool hang of the MCP server it: it was ended by SIGKILL',
    );
    expect(await text('mcp__other__echo', { words: 'on' })).toBe('on');
    expect(await text('mcp__it__echo', { words: 'again' })).toBe('again');
    expect(Number(await text('mcp__it__pid', {}))).not.toBe(pid);
    const [lost] = await untilLogged(project, 'server.lost');
    expect(lost?.data).toMatchObject({ server: 'it', reason: expect.stringContaining('SIGKILL') as string });
  });

  it('prints garbage loses neither the call nor what it printed, and no byte of it reaches the agent', async () => {
    const { client, text, root } = await servedHere({ servers: { it: fixture('handy.ts') }, policy });
    const problems: unknown[] = [];
    client.onerror = (error) => problems.push(error);
    expect(await text('mcp__it__noise', {})).toBe('quiet now');
    expect(await text('mcp__it__echo', { words: 'again' })).toBe('again');
    expect(problems).toEqual([]);
    const kept = await readFile(join(root, '.clifford/mcp/it.log'), 'utf8');
    expect(kept).toContain('no message on stdout: Debugger attached.');
  });
});

describe('the environment of a server', () => {
  it('is what every program needs and what mcp.json says, whatever clifford was started with', async () => {
    const secrets = { FOO_SECRET: 'of ours', GITHUB_TOKEN: 'of ours', AWS_SECRET_ACCESS_KEY: 'of ours' };
    const env = { OWN_KEY: '${ITS_KEY}', GIVEN: '${UNLISTED:-default}' };
    const { text } = await servedProject(
      { servers: { it: fixture('handy.ts', { env }), other: fixture('handy.ts') }, policy },
      { env: { ...secrets, ITS_KEY: 'its own', CLIFFORD_SECRET_OF_CLIFFORD: 'of ours' } },
    );
    const its: unknown = JSON.parse(await text('mcp__it__environment', {}));
    expect(its).toMatchObject({ OWN_KEY: 'its own', GIVEN: 'default' });
    const others = await text('mcp__other__environment', {});
    expect(others).not.toContain('its own');
    for (const seen of [its as object, JSON.parse(others) as object]) {
      expect(JSON.stringify(seen)).not.toContain('of ours');
      const known = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER', 'OWN_KEY', 'GIVEN'];
      expect(known).toEqual(expect.arrayContaining(Object.keys(seen)));
    }
  });
});

describeOnEachEngine('clifford that is killed', () => {
  it('leaves no server behind, nor what servers have started', async () => {
    const servers = { it: fixture('handy.ts'), stubborn: fixture('stubborn.ts') };
    const { text, pid } = await servedProject({ servers, policy });
    const pids = [
      Number(await text('mcp__it__pid', {})),
      Number(await text('mcp__it__fork', {})),
      Number(await text('mcp__stubborn__pid', {})),
    ];
    expect(pids.map(runs)).toEqual([true, true, true]);
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => pids.map(runs)).toEqual([false, false, false]);
  });
});
