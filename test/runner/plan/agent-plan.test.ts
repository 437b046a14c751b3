import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { planCommand, planKnown } from '../../../src/runner/plan/agent-plan.ts';
import type { AgentDefinition } from '../../../src/runner/plan/agent-plan.ts';
import { knownAgents } from '../../../src/runner/agents/known-agents.ts';
import { launchOrder } from '../../helpers/launch-order.ts';

/** The environment of an agent whose definition has these variables. */
function envOf(name: keyof typeof knownAgents, env: AgentDefinition['env']) {
  const definition = { path: process.execPath, env };
  const plan = planKnown(knownAgents[name], 'cli', {
    agent: name,
    definition: { value: definition, shown: definition },
    model: { value: undefined, shown: undefined },
    place: { path: '', cwd: '/' },
  });
  return plan.launch(launchOrder({ env: { HOME: '/home/nobody' } })).env;
}

describe('a variable of an agent of the configuration', () => {
  it('counts more than that of its adapter', () => {
    const own = { CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS: '5000', OTHER: 'x' };
    expect(envOf('claude', own)).toEqual(own);
  });

  it('does not take the server from OpenCode, whose configuration may stand in it', () => {
    const { OPENCODE_CONFIG_CONTENT = '' } = envOf('opencode', {
      OPENCODE_CONFIG_CONTENT: '{"theme":"dark"}',
    });
    expect(JSON.parse(OPENCODE_CONFIG_CONTENT)).toMatchObject({ theme: 'dark', mcp: { clifford: {} } });
  });

  it('does not take the home of a run from Gemini CLI', () => {
    expect(envOf('gemini', { GEMINI_CLI_HOME: '/home/eve' })).toEqual({
      GEMINI_CLI_HOME: expect.stringContaining('/.clifford/runs/run-1/'),
    });
  });
});

/** A folder on the PATH with these programs. */
async function folderOf(...programs: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'clifford-plan-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const program of programs) await writeFile(join(folder, program), '#!/bin/sh\n', { mode: 0o755 });
  return folder;
}

function planOverAcp(path: string, more: AgentDefinition = {}) {
  return planKnown(knownAgents.claude, 'acp', {
    agent: 'claude',
    definition: { value: more, shown: more },
    model: { value: undefined, shown: undefined },
    place: { path, cwd: '/' },
  });
}

describe('an agent for which another program speaks', () => {
  it('is started through that one, which runs the agent that is installed, wherever the configuration says it is', async () => {
    const folder = await folderOf('claude', 'claude-agent-acp', 'my-claude');
    const plan = planOverAcp(folder);
    expect(plan.file).toBe(join(folder, 'claude-agent-acp'));
    expect(plan.recorded(launchOrder())).toEqual(['claude-agent-acp']);
    expect(plan.launch(launchOrder()).env['CLAUDE_CODE_EXECUTABLE']).toBe(join(folder, 'claude'));
    const own = planOverAcp(folder, { path: join(folder, 'my-claude') });
    expect(own.file).toBe(plan.file);
    expect(own.launch(launchOrder()).env['CLAUDE_CODE_EXECUTABLE']).toBe(join(folder, 'my-claude'));
  });

  it('is started with what that one brings along where it is not installed itself', async () => {
    const plan = planOverAcp(await folderOf('claude-agent-acp'));
    expect(plan.launch(launchOrder()).env).not.toHaveProperty('CLAUDE_CODE_EXECUTABLE');
  });

  it('cannot be started without that one, and says which package to install', async () => {
    const folder = await folderOf('claude');
    expect(() => planOverAcp(folder)).toThrow(
      expect.objectContaining({
        code: 'AGENT_NOT_FOUND',
        message: 'Cannot start Claude Code with "via": "acp": claude-agent-acp is not on the PATH',
        fix: expect.stringContaining('npm install -g @agentclientprotocol/claude-agent-acp'),
      }),
    );
  });
});

describe('who asks', () => {
  const named = (line: string, agent?: string) =>
    planCommand({ value: line, shown: line }, 'acp', {
      agent,
      model: { value: undefined, shown: undefined },
      place: { path: '', cwd: '/' },
    }).name;

  it('is called as its program, where a command line is all there is', () => {
    expect(named(`${process.execPath} /opt/agents/x.mjs --acp`)).toBe('x');
  });

  it('is called as it is in the configuration, whatever its command line', () => {
    expect(named(`${process.execPath} /opt/agents/x.mjs --acp`, 'mine')).toBe('mine');
  });
});
