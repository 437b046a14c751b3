import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { throughLinks } from '../../../src/gateway/call/through-links.ts';
import { DEFAULT_AGENT_POLICY } from '../../../src/gateway/config/agent-policy.ts';
import type { PolicyConfig } from '../../../src/gateway/config/policy-config.ts';
import type { FoundPlaces } from '../../../src/gateway/policy/path-below.ts';
import { PolicyGate } from '../../../src/gateway/policy/policy-gate.ts';
import { tempRoot } from '../../helpers/temp-project.ts';

/** A project whose `open` has links: to `closed`, to nothing beside it, to itself, and to a folder of its own. */
async function linked(): Promise<string> {
  const root = await realpath(await tempRoot());
  await mkdir(join(root, 'open/own'), { recursive: true });
  await mkdir(join(root, 'closed'));
  await writeFile(join(root, 'closed/key.txt'), 'closed');
  await symlink('../closed', join(root, 'open/away'));
  await symlink('../closed/unmade.txt', join(root, 'open/to-unmade'));
  await symlink('round', join(root, 'open/round'));
  await symlink('own', join(root, 'open/here'));
  await symlink('/proc/self/cwd', join(root, 'open/process'));
  await symlink('/dev/fd', join(root, 'open/files'));
  await mkdir(join(root, 'open/[id]'));
  await mkdir(join(root, 'open/own/[id]'));
  await symlink('../closed', join(root, 'open/d'));
  await symlink('../closed/key.txt', join(root, 'open/k.txt'));
  return root;
}

describe('throughLinks', () => {
  it.each([
    ['open/own/new.txt', 'open/own/new.txt'],
    ['open/here/new/deep.txt', 'open/own/new/deep.txt'],
    ['open/away/key.txt', 'closed/key.txt'],
    ['open/away/new.txt', 'closed/new.txt'],
    ['open/to-unmade', 'closed/unmade.txt'],
    ['open/away/../key.txt', 'key.txt'],
    ['open/here/../../closed', 'closed'],
    ['open/none/../own/./x', 'open/own/x'],
  ])('%s leads to %s', async (path, end) => {
    const root = await linked();
    expect(throughLinks(`${root}/${path}`)).toBe(join(root, end));
  });

  it('cannot tell where links in a circle lead', async () => {
    const root = await linked();
    expect(throughLinks(join(root, 'open/round/x'))).toBeUndefined();
  });

  it('cannot tell where a path longer than the system takes leads, and looks nowhere for it', () => {
    const found: FoundPlaces = new Map();
    expect(throughLinks(`/${'a/'.repeat(30_000)}`, found)).toBeUndefined();
    expect(throughLinks(`/${'é/../'.repeat(700)}`, found)).toBeUndefined();
    expect(found.size).toBe(0);
  });

  it('looks once at a place, and at none below one where nothing is', async () => {
    const root = await linked();
    const found: FoundPlaces = new Map();
    for (const name of ['x', 'y']) {
      const path = join(root, 'open/none', 'a/'.repeat(1_000), name);
      expect(throughLinks(path, found)).toBe(path);
    }
    expect([...found.keys()].at(-1)).toBe(join(root, 'open/none'));
    expect(found.size).toBe(join(root, 'open/none').split('/').length - 1);
    // It goes by what was found.
    found.set(join(root, 'open/here'), { is: 'other' });
    expect(throughLinks(join(root, 'open/here/x'), found)).toBe(join(root, 'open/here/x'));
  });
});

describe('a rule about a folder with links in it', () => {
  const rule = (folder: string) => ({ server: 'fs', tool: 'read', args: { path: { below: folder } } });
  const policy = (given: Partial<PolicyConfig>): PolicyConfig => ({
    default: 'confirm',
    allowlist: [],
    denylist: [],
    rules: [],
    agents: DEFAULT_AGENT_POLICY,
    approvalTimeoutMs: 1_000,
    ...given,
  });
  const decide = (root: string, given: Partial<PolicyConfig>, path: string) =>
    new PolicyGate(policy(given), [], { root, throughLinks }).check({
      serverId: 'fs',
      toolName: 'read',
      args: { path },
    }).decision;

  it.each([
    'open/away/key.txt',
    'open/away/new.txt',
    'open/to-unmade',
    'open/round/x',
    'open/away/../secret.txt',
    'open/process/key.txt',
    'open/files/3/key.txt',
    '/proc/self/cwd/open/own/new.txt',
    '/proc/self/../self/root/x',
    '../../../../proc/1/cwd/x',
    'open/[id]/key.txt',
    'open/[jk].txt',
    'open/own/.?/key.txt',
    'open/away"/.."/"secret.txt',
    'open/away/../open/away/../secret.txt',
  ])('does not allow %s, which leads out of it', async (path) => {
    const root = await linked();
    expect(decide(root, { allowlist: [rule('open')] }, path)).toBe('confirm');
  });

  it.each([
    'open/own/new.txt',
    'open/here/new.txt',
    'open/own/[id]/new.txt',
    'open/own/[jk].txt',
    "open/own/it's",
  ])('allows %s, which stays in it', async (path) => {
    const root = await linked();
    expect(decide(root, { allowlist: [rule('open')] }, path)).toBe('allow');
  });

  it.each([
    'open/away/key.txt',
    'open/away',
    'open/to-unmade',
    'open/round/x',
    '/proc/self/cwd/closed/key.txt',
    'file:///proc/thread-self/cwd/closed/key.txt',
    '%2fproc%2fself%2fcwd/closed',
    '//proc/./self//cwd/closed',
    '\\proc\\self\\cwd\\closed',
    '/dev/fd/3/key.txt',
    'open/process/closed',
    'close?/key.txt',
    'cl*/key.txt',
    '[c]losed/key.txt',
    'clo[s]ed/key.txt',
    "clo''sed/key.txt",
    'open/[id]/key.txt',
    'open/[jk].txt',
  ])('refuses %s where the folder it leads to, or may lead to, is refused', async (path) => {
    const root = await linked();
    expect(decide(root, { default: 'allow', denylist: [rule('closed')] }, path)).toBe('deny');
  });
});
