import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { RecordedRule } from '../../../src/machines/policy-state.ts';
import { clifford } from '../../helpers/clifford-process.ts';
import { describeOnEachEngine } from '../../helpers/each-engine.ts';
import { forgeSnapshot } from '../../helpers/forge-snapshot.ts';
import { tempRoot } from '../../helpers/temp-project.ts';
import { textOf } from '../../mcp/support/connect-agent.ts';
import { fixture, untilToolsChange } from '../../mcp/support/gateway-agent.ts';
import { published } from '../../mcp/support/gateway-servers.ts';
import { eventsOf, untilAsked, untilLogged } from '../../mcp/support/project-log.ts';
import { servedHere, servedProject } from './served-project.ts';

const servers = { it: fixture('turncoat.ts') };

describeOnEachEngine('a call that a human has to allow', () => {
  it('runs after `clifford approve`, once; `clifford deny` tells the agent why not', async () => {
    const { call, text, project, root } = await servedProject({ servers });
    const first = text('mcp__it__act', {});
    const { id } = await untilAsked(project);
    expect(await clifford(['approve', id], { cwd: root })).toMatchObject({ code: 0 });
    expect(await first).toBe('acted');

    const second = call('mcp__it__act', {});
    await untilAsked(project);
    const denial = ['deny', 'last', '--reason', 'it acted already'];
    expect(await clifford(denial, { cwd: root })).toMatchObject({ code: 0 });
    const result = await second;
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('it acted already');
    expect(await eventsOf(project, 'tool.allowed')).toHaveLength(1);
    expect(await clifford(['replay', '--verify'], { cwd: root })).toMatchObject({ code: 0 });
  });

  it('keeps its yes when clifford is killed meanwhile, for one call and no other', async () => {
    const first = await servedProject({ servers });
    const { root, project } = first;
    first.call('mcp__it__act', { note: 'a' }).catch(() => undefined);
    const { id } = await untilAsked(project);
    process.kill(first.pid, 'SIGKILL');
    expect(await clifford(['approve', id], { cwd: root })).toMatchObject({ code: 0 });

    const { text } = await servedProject({ servers }, { root });
    const other = text('mcp__it__act', { note: 'b' });
    const { asked } = await untilAsked(project);
    expect(asked.approval?.args).toEqual({ note: 'b' });
    expect(await text('mcp__it__act', { note: 'a' })).toBe('acted');
    expect(await clifford(['deny', 'last'], { cwd: root })).toMatchObject({ code: 0 });
    expect(await other).toContain('The human did not allow this call');
  });
});

describeOnEachEngine('a tool that its server defines anew after a human allowed it for good', () => {
  it.each([
    ['description', 'Acts, and tells a friend about it'],
    ['parameter', 'reason'],
    ['annotation', 'readOnlyHint'],
    ['meta', 'own/kind'],
  ])('asks again in the same session, and shows what changed: %s', async (what, shown) => {
    const rules = [{ tool: 'turn', decision: 'allow' }];
    const { client, text, project, root } = await servedHere({ servers, policy: { rules } });
    const changed = untilToolsChange(client);
    await client.listTools();
    const first = text('mcp__it__act', {});
    const { id } = await untilAsked(project);
    expect(await clifford(['approve', id, '--scope', 'always'], { cwd: root })).toMatchObject({
      code: 0,
    });
    await first;
    expect(await text('mcp__it__act', {})).toBe('acted');

    await text('mcp__it__turn', { what });
    await changed;
    const second = text('mcp__it__act', {});
    const { asked } = await untilAsked(project);
    expect(asked.approval?.rule).toBe('default');
    expect(asked.approval?.change).toContain(shown);
    const { out } = await clifford(['questions'], { cwd: root });
    expect(out).toContain(shown);
    expect(await clifford(['deny', 'last'], { cwd: root })).toMatchObject({ code: 0 });
    expect(await second).toContain('The human did not allow this call');
  });
});

describeOnEachEngine('a rule that only a snapshot has', () => {
  /** A project whose agent has seen the tool, and the rule that somebody puts into its snapshot. */
  async function forgedProject() {
    const seen = await servedHere({ servers });
    await untilLogged(seen.project, 'tool.pinned');
    const { root, project } = seen;
    const definitionDigest = (await project.refresh()).pins.get('it')?.get('act') ?? '';
    await seen.client.close();
    const rule: RecordedRule = {
      id: 'r-1',
      server: 'it',
      tool: 'act',
      definitionDigest,
      scope: { kind: 'always' },
      by: 'ann',
      at: '2026-01-01T00:00:00.000Z',
      recordedIn: 'adhoc',
    };
    await forgeSnapshot(root, ({ state }) => void (state.policyRules = [rule]));
    return { root, project };
  }

  it('lets no call of an agent through: a human is asked', async () => {
    const { root, project } = await forgedProject();
    const { text } = await servedHere({ servers }, { root });
    const call = text('mcp__it__act', {});
    expect((await untilAsked(project)).asked.approval).toMatchObject({ tool: 'act', rule: 'default' });
    expect(await clifford(['deny', 'last'], { cwd: root })).toMatchObject({ code: 0 });
    expect(await call).toContain('The human did not allow this call');
    expect(await eventsOf(project, 'tool.allowed')).toEqual([]);
  });

  it('lets no call of a person through who cannot be asked', async () => {
    const { root, project } = await forgedProject();
    const env = { CLIFFORD_TRUST_PROJECT: '1' };
    const { code, out } = await clifford(['mcp', 'call', 'it', 'act'], { cwd: root, env });
    expect(code).toBe(1);
    expect(out).toContain('A human has to allow it/act (default)');
    expect(await eventsOf(project, 'tool.allowed')).toEqual([]);
  });

  it('is not in force for a call that is tried', async () => {
    const { root } = await forgedProject();
    const { out } = await clifford(['policy', 'test', 'it', 'act'], { cwd: root });
    expect(out).toMatch(/^decision {2}confirm\nrule {6}default\n/);
    const verified = await clifford(['replay', '--verify'], { cwd: root });
    expect(verified.err).toContain('it says something else than the log, which holds');
  });
});

describeOnEachEngine('a rule about a folder', () => {
  it('lets no path out of it, however it is written: the server is never asked', async () => {
    const root = await tempRoot();
    await mkdir(join(root, 'open'));
    await writeFile(join(root, 'open/note.txt'), 'a note');
    await writeFile(join(root, 'closed.txt'), 'closed');
    await mkdir(join(root, 'far/deep'), { recursive: true });
    await writeFile(join(root, 'far/note.txt'), 'closed');
    await symlink('../far/deep', join(root, 'open/link'));
    const { call, text, project } = await servedHere(
      {
        servers: { fs: { command: process.execPath, args: [published.filesystem, root] } },
        policy: {
          default: 'deny',
          allowlist: [{ server: 'fs', tool: 'read_text_file', args: { path: { below: 'open' } } }],
        },
      },
      { root },
    );
    expect(await text('mcp__fs__read_text_file', { path: join(root, 'open/note.txt') })).toBe('a note');
    const paths = [
      join(root, 'closed.txt'),
      `${root}/open/../closed.txt`,
      'open/../closed.txt',
      // By its text a note that is open, by its link one that is not.
      `${root}/open/link/../note.txt`,
      `${root}/open/./.././closed.txt`,
      '/etc/passwd',
      `${root}/opened.txt`,
    ];
    for (const path of paths) {
      const result = await call('mcp__fs__read_text_file', { path });
      expect([path, result.isError]).toEqual([path, true]);
      expect(textOf(result)).toContain('The policy of this project denies fs/read_text_file (default)');
    }
    await untilLogged(project, 'tool.denied', paths.length);
    expect(await eventsOf(project, 'tool.allowed')).toHaveLength(1);
  });
});
