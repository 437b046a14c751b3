import { describe, expect, it } from 'vitest';
import { planKnown } from '../../../src/runner/plan/agent-plan.ts';
import type { AgentDefinition } from '../../../src/runner/plan/agent-plan.ts';
import { knownAgents } from '../../../src/runner/agents/known-agents.ts';
import { launchOrder } from '../../helpers/launch-order.ts';

/** The environment of an agent whose definition has these variables. */
function envOf(name: keyof typeof knownAgents, env: AgentDefinition['env']) {
  const definition = { path: process.execPath, env };
  const plan = planKnown(knownAgents[name], {
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
