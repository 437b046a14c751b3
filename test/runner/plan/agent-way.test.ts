import { describe, expect, it } from 'vitest';
import { knownAgents } from '../../../src/runner/agents/known-agents.ts';
import type { AgentDefinition } from '../../../src/runner/plan/agent-plan.ts';
import { agentWay } from '../../../src/runner/plan/agent-way.ts';
import { fakePrograms } from '../../helpers/fake-programs.ts';

const says = (version: string) => `echo ${version}`;

async function wayOf(
  name: keyof typeof knownAgents,
  programs: Readonly<Record<string, string>>,
  definition?: AgentDefinition,
  countsTokens = false,
) {
  const path = await fakePrograms(programs);
  const env = { PATH: `${path}:/usr/bin:/bin` };
  return agentWay(knownAgents[name], definition, { cwd: path, path, env, countsTokens });
}

describe('where the configuration does not say how an agent is spoken with, it is', () => {
  it('over ACP in a version that was tested with it', async () => {
    expect(await wayOf('opencode', { opencode: says('1.18.33') })).toEqual({
      via: 'acp',
      because: 'opencode 1.18.33 was tested',
    });
  });

  it('over ACP in a newer one: an update does not switch its questions off', async () => {
    expect(await wayOf('opencode', { opencode: says('1.19.0') })).toEqual({
      via: 'acp',
      because: 'opencode 1.19.0 is newer than what was tested',
    });
    expect(await wayOf('opencode', { opencode: says('2.0.0') })).toMatchObject({ via: 'acp' });
  });

  it('over ACP where its version is not known: nor does a machine that is slow', async () => {
    expect(await wayOf('opencode', { opencode: 'exit 1' })).toEqual({
      via: 'acp',
      because: 'the version of opencode is not known',
    });
  });

  it('by its command line in an older one', async () => {
    expect(await wayOf('opencode', { opencode: says('1.18.32') })).toEqual({
      via: 'cli',
      because: 'opencode 1.18.32 is older than 1.18.33, the first one tested with ACP',
    });
  });

  it('by its command line where another program would speak for it that is not there, or too old', async () => {
    expect(await wayOf('claude', { claude: says('2.1.330') })).toEqual({
      via: 'cli',
      because:
        'claude-agent-acp, which speaks ACP for it, is not on the PATH (npm install -g @agentclientprotocol/claude-agent-acp)',
    });
    expect(
      await wayOf('claude', { claude: says('2.1.330'), 'claude-agent-acp': says('0.100.9') }),
    ).toMatchObject({
      via: 'cli',
      because: 'claude-agent-acp 0.100.9 is older than 0.101.0, the first one tested with ACP',
    });
    expect(
      await wayOf('claude', { claude: says('2.1.330'), 'claude-agent-acp': says('0.101.0') }),
    ).toMatchObject({
      via: 'acp',
      because: 'claude 2.1.330 was tested, claude-agent-acp 0.101.0 was tested',
    });
  });

  it('by its command line where something that Clifford watches over would not be seen', async () => {
    expect(await wayOf('opencode', { opencode: says('1.18.33') }, undefined, true)).toEqual({
      via: 'cli',
      because: 'there is a budget in tokens, and over ACP it does not say all that it uses',
    });
    expect(await wayOf('gemini', { gemini: says('0.61.0') }, undefined, true)).toMatchObject({ via: 'acp' });
    expect(await wayOf('copilot', { copilot: says('1.0.102') })).toEqual({
      via: 'cli',
      because: 'over ACP it says only in prose that a plan is used up, or a key is wrong',
    });
  });

  it('by its command line where it has arguments for that, or nobody knows another way', async () => {
    expect(await wayOf('opencode', { opencode: says('1.18.33') }, { args: ['--agent', 'build'] })).toEqual({
      via: 'cli',
      because: 'its "args" are for its command line',
    });
    expect(await wayOf('opencode', { opencode: says('1.18.33') }, { args: [] })).toMatchObject({
      via: 'acp',
    });
    expect(await wayOf('cursor', { 'cursor-agent': says('2026.01.28') })).toEqual({
      via: 'cli',
      because: 'it is not known how Cursor speaks ACP',
    });
  });
});

describe('where the configuration says how an agent is spoken with', () => {
  it('that counts, and no program is asked', async () => {
    const programs = { opencode: 'touch asked; echo 1.0.0' };
    expect(await wayOf('opencode', programs, { via: 'acp' })).toEqual({
      via: 'acp',
      because: 'as configured',
    });
    expect(await wayOf('opencode', programs, { via: 'acp' }, true)).toEqual({
      via: 'acp',
      because:
        'as configured, though there is a budget in tokens, and over ACP it does not say all that it uses',
    });
    expect(await wayOf('opencode', programs, { via: 'cli' })).toEqual({
      via: 'cli',
      because: 'as configured',
    });
  });
});
