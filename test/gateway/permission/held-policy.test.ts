import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { loadMcpConfig } from '../../../src/gateway/config/load-mcp-config.ts';
import { loadSettledConfig } from '../../../src/gateway/config/settled-config.ts';
import { recordTrust } from '../../../src/gateway/config/trust.ts';
import type { AgentCall } from '../../../src/gateway/permission/agent-call.ts';
import { HeldPolicy } from '../../../src/gateway/permission/held-policy.ts';
import { decideAgentCall } from '../../../src/gateway/permission/decide-agent-call.ts';
import { writeMcpJson } from '../../helpers/mcp-json.ts';
import { projectWithSprint, tempRoot } from '../../helpers/temp-project.ts';

const allow = (startsWith: string) => ({ command: { startsWith }, decision: 'allow' });
const deny = (startsWith: string) => ({ command: { startsWith }, decision: 'deny' });
const confirm = (startsWith: string) => ({ command: { startsWith }, decision: 'confirm' });

/** A run that began with this policy, which a person has trusted unless said otherwise. */
async function begun(agents: object, { isTrusted = true, isUnread = false, env: more = {} } = {}) {
  const { root, project, stream } = await projectWithSprint();
  const env = { HOME: await tempRoot(), ...more };
  const trusted = join(env.HOME, '.local/state/clifford/trusted.json');
  const write = (said: object | string) =>
    writeMcpJson(root, typeof said === 'string' ? said : { policy: { agents: said } });
  const trust = async () => recordTrust(root, await loadMcpConfig({ root, env }), env);
  await write(agents);
  if (isTrusted) await trust();
  const said = isTrusted ? await readFile(trusted, 'utf8') : '';
  if (isUnread) await writeFile(trusted, '{');
  const readable = () => writeFile(trusted, said);
  const told: string[] = [];
  const policy = new HeldPolicy({ root, env, report: (line) => told.push(line) });
  await policy.begin();
  const judge = async (command: string, call: Partial<AgentCall> = {}) => {
    const own = { kind: 'execute' as const, title: '', args: {}, commands: [command], cwd: root, paths: [] };
    const { decision, rule, unasked } = await decideAgentCall(
      project,
      { ...own, hosts: [], ...call, agent: 'fake', digest: 'd', stream },
      policy,
    );
    return { decision, rule, unasked };
  };
  const word = async (command: string) => (await judge(command)).decision;
  const edit = async () => (await judge('', { kind: 'edit', commands: [], paths: ['a'] })).decision;
  const remove = () => rm(join(root, 'mcp.json'));
  return { root, env, policy, write, trust, judge, word, edit, remove, readable, told };
}

const rules = [allow('npm'), deny('git push'), confirm('npm publish')];

describe('what agents make of mcp.json while they work', () => {
  it.each<[string, object | string | undefined]>([
    ['is gone', undefined],
    ['is empty', {}],
    ['allows what it denied', { rules: [allow('npm'), allow('git push'), allow('npm publish')] }],
    ['asks nobody', { ask: 'nothing', unasked: 'record' }],
  ])('takes no rule away: a file that %s', async (_what, now) => {
    const { write, remove, judge, word } = await begun({ rules, unasked: 'stop' });
    await (now === undefined ? remove() : write(now));
    expect(await judge('git push')).toEqual({
      decision: 'deny',
      rule: 'agents.rules[1] from before mcp.json was changed',
      unasked: 'stop',
    });
    expect(await word('npm publish')).toBe('confirm');
    expect(await word('touch x')).toBe('confirm');
  });

  it('allows nothing that it did not allow: what was trusted goes on where it stands', async () => {
    const { write, word } = await begun({ rules });
    await write({ rules: [...rules, allow('make'), deny('npm ci')] });
    expect(await Promise.all(['npm test', 'make', 'npm ci'].map(word))).toEqual(['allow', 'confirm', 'deny']);
    await write({ rules: [allow('make')] });
    expect(await Promise.all(['npm test', 'make', 'npm ci'].map(word))).toEqual([
      'confirm',
      'confirm',
      'deny',
    ]);
    await write({ rules });
    expect(await Promise.all(['npm test', 'make', 'npm ci'].map(word))).toEqual(['allow', 'confirm', 'deny']);
  });

  it('counts as it is once a person has trusted it', async () => {
    const { write, trust, judge, word } = await begun({ rules });
    await write({ rules: [allow('make')] });
    expect(await word('make')).toBe('confirm');
    await trust();
    expect(await judge('make')).toMatchObject({ decision: 'allow', rule: 'agents.rules[0]' });
    expect(await word('git push')).toBe('confirm');
  });

  it('is trusted unseen as it was at the beginning, also where that could not be read', async () => {
    const { root, write } = await begun({ rules: [allow('git')] }, { isTrusted: false });
    const env = { HOME: await tempRoot(), CLIFFORD_TRUST_PROJECT: '1' };
    await write('{');
    const policy = new HeldPolicy({ root, env });
    await policy.begin();
    await write({ ask: 'nothing' });
    expect(await policy.now()).toMatchObject({ agents: { ask: 'what-matters' } });
  });

  it('counts no more by an old word, for a file that is put back, also of the millisecond it began in', async () => {
    const { root, env, write, trust } = await begun({ rules: [allow('git')] });
    const now = vi.spyOn(Date.prototype, 'toISOString').mockReturnValue('2026-01-01T00:00:00.000Z');
    onTestFinished(() => now.mockRestore());
    await trust();
    await write({ rules });
    const policy = new HeldPolicy({ root, env });
    await policy.begin();
    await write({ rules: [allow('git')] });
    const held = await policy.now();
    expect('agents' in held && held.agents.rules.map(({ rule }) => rule)).toEqual([rules[1], rules[2]]);
  });

  it('is asked about as much as ever', async () => {
    const unattended = await begun({ ask: 'nothing' });
    expect(await unattended.word('touch x')).toBe('allow');
    await unattended.write({ ask: 'what-matters' });
    expect(await unattended.word('touch x')).toBe('confirm');
    await unattended.write({ ask: 'nothing' });
    expect(await unattended.word('touch x')).toBe('allow');
    await unattended.write({ ask: 'everything' });
    expect(await unattended.edit()).toBe('confirm');
    await unattended.remove();
    expect(await unattended.edit()).toBe('confirm');
  });

  it('counts by the environment as it was when all began, and as little for those who are handed that', async () => {
    const env = { CLIFFORD_TRUST_PROJECT: '1' };
    const { root, policy, write, word } = await begun({ ask: 'nothing', rules }, { isTrusted: false, env });
    expect(await word('touch x')).toBe('allow');
    const handed = policy.forAgents(env);
    const again = async () => {
      const now = await new HeldPolicy({ root, env: handed }).now();
      return 'agents' in now && now.agents.ask;
    };
    expect(await again()).toBe('nothing');
    await write({ ask: 'nothing' });
    expect(await word('touch x')).toBe('allow');
    expect(await word('git push')).toBe('deny');
    expect(await again()).toBe('what-matters');
  });

  it('is refused as it was when all began, where what was trusted could not be read then', async () => {
    const { root, env, write, trust, remove } = await begun({ rules });
    const file = join(env.HOME, '.local/state/clifford/trusted.json');
    const said = await readFile(file, 'utf8');
    await writeFile(file, '{');
    const policy = new HeldPolicy({ root, env });
    await policy.begin();
    const rulesNow = async () => {
      const now = await policy.now();
      return 'agents' in now && now.agents.rules.map(({ rule }) => rule);
    };
    // What it refuses meanwhile counts, too.
    await write({ rules: [deny('rm'), allow('git push')] });
    expect(await rulesNow()).toEqual([deny('rm'), rules[1], rules[2]]);
    await write({ rules: [allow('git push')] });
    await rm(file);
    expect(await rulesNow()).toEqual([rules[1], rules[2], deny('rm')]);
    // A word of before is for what was there before, wherever it comes from.
    await write({ rules });
    await writeFile(file, said);
    expect(await rulesNow()).toEqual([rules[1], rules[2], deny('rm')]);
    await trust();
    expect(await rulesNow()).toEqual(rules);
    await remove();
    expect(await rulesNow()).toEqual([rules[1], rules[2]]);
  });

  it('counts as it was trusted once that can be read, which is told, once, and that it cannot be', async () => {
    const { word, judge, readable, write, told } = await begun(
      { rules, unasked: 'record' },
      { isUnread: true },
    );
    const asked = ['npm test', 'touch x', 'git push'];
    expect(await Promise.all(asked.map(word))).toEqual(['confirm', 'confirm', 'deny']);
    expect(told).toEqual([
      expect.stringMatching(
        /^it cannot be read what you trust, so nothing .* counts: Cannot read .*trusted\.json.*trust/,
      ),
    ]);
    // What comes in meanwhile is what nobody has trusted.
    await write({ rules: [...rules, allow('make'), deny('npm ci')], unasked: 'record' });
    expect(await word('npm ci')).toBe('deny');
    await readable();
    expect(await word('npm test')).toBe('allow');
    expect(told).toHaveLength(3);
    expect(told[2]).toContain('can be read again');
    expect(await Promise.all([...asked, 'make', 'npm ci'].map(word))).toEqual([
      'allow',
      'confirm',
      'deny',
      'confirm',
      'deny',
    ]);
    expect((await judge('touch x')).unasked).toBe('record');
    await write({ rules });
    expect(await word('npm ci')).toBe('deny');
  });

  it('asks nobody in an unattended run, also while it cannot be read what is trusted', async () => {
    const { word, edit, judge, readable, write, told } = await begun({ ask: 'nothing' }, { isUnread: true });
    expect(await judge('touch x')).toMatchObject({ decision: 'deny', rule: 'agents.ask what-matters' });
    expect(await edit()).toBe('allow');
    await write({ ask: 'what-matters' });
    expect(await word('touch x')).toBe('deny');
    await write({ ask: 'nothing' });
    await readable();
    expect(await word('touch x')).toBe('allow');
    expect(told).toHaveLength(3);
  });

  it.each([
    ['allows nothing', { rules: [deny('git push')] }, {}],
    ['is trusted unseen', { ask: 'nothing' }, { CLIFFORD_TRUST_PROJECT: '1' }],
  ])('tells nobody that it is not known what is trusted of a file that %s', async (_what, agents, env) => {
    const { judge, told } = await begun(agents, { isUnread: true, env });
    expect(await judge('touch x')).toMatchObject({ decision: 'ask' in agents ? 'allow' : 'confirm' });
    expect(told).toEqual([]);
  });

  it('goes on to hold where it cannot be read in the middle what is trusted', async () => {
    const { env, word, told } = await begun({ rules });
    await writeFile(join(env.HOME, '.local/state/clifford/trusted.json'), '{');
    expect(await Promise.all(['npm test', 'touch x'].map(word))).toEqual(['allow', 'confirm']);
    expect(told).toEqual([]);
  });

  it('refuses everything while it cannot be read, and no more than before then', async () => {
    const { write, word } = await begun({ rules });
    await write('{');
    expect(await word('npm test')).toBe('deny');
    await write({ rules: [] });
    expect(await word('git push')).toBe('deny');
    expect(await word('npm test')).toBe('confirm');
  });
});

it('a file that is being written is read once it is', async () => {
  const { root, write } = await begun({ rules });
  await write('');
  const reading = loadSettledConfig({ root, env: {} });
  await turn();
  await write({ rules });
  expect((await reading).policy).toMatchObject({ agents: { rules } });
});
