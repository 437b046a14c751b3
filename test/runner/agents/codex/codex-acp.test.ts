import { describe, expect, it } from 'vitest';
import { codexAcp } from '../../../../src/runner/agents/codex/codex-acp.ts';
import { launchOrder } from '../../../helpers/launch-order.ts';

const envOf = (more: Parameters<typeof launchOrder>[0] = {}) => codexAcp.launch(launchOrder(more)).env;
const configOf = (more: Parameters<typeof launchOrder>[0] = {}) =>
  JSON.parse(envOf(more)['CODEX_CONFIG'] ?? '');

describe('Codex over ACP', () => {
  it('finds the server in its configuration, with a limit of a day, and the model asked for', () => {
    expect(configOf({ model: 'gpt-5' })).toEqual({
      model: 'gpt-5',
      mcp_servers: {
        clifford: {
          command: '/bin/node',
          args: ['/lib/mcp-entry.js'],
          env_vars: ['CLIFFORD_RUN_ID'],
          env: { CLIFFORD_WAIT_LIMIT_MS: '82800000' },
          tool_timeout_sec: 86_400,
          startup_timeout_sec: 60,
          default_tools_approval_mode: 'approve',
          required: true,
        },
      },
    });
  });

  it('keeps what the user has in that variable, and does not repair it', () => {
    const own = { model: 'o3', profile: 'mine', mcp_servers: { db: { url: 'http://localhost' } } };
    expect(configOf({ env: { CODEX_CONFIG: JSON.stringify(own) } })).toMatchObject({
      ...own,
      mcp_servers: { db: { url: 'http://localhost' }, clifford: { required: true } },
    });
    expect(envOf({ env: { CODEX_CONFIG: '{' } })['CODEX_CONFIG']).toBe('{');
  });

  it('may only read without being asked about, and no model decides in the place of a human', () => {
    expect(envOf()['INITIAL_AGENT_MODE']).toBe('read-only');
    const own = { INITIAL_AGENT_MODE: 'workspace-write' };
    expect(envOf({ env: own })).toMatchObject(own);
  });

  it('is the one that is installed, unless the user names another', () => {
    expect(envOf({ cli: '/usr/bin/codex' })['CODEX_PATH']).toBe('/usr/bin/codex');
    expect(envOf({ cli: '/usr/bin/codex', env: { CODEX_PATH: '/opt/codex' } })['CODEX_PATH']).toBe(
      '/opt/codex',
    );
    expect(envOf()).not.toHaveProperty('CODEX_PATH');
  });

  it('names Clifford as the server of its tools', () => {
    const call = { toolCallId: 'call_1', title: 'mcp.clifford.request_help' };
    expect(codexAcp.namesOwnTool({ ...call, rawInput: { server: 'clifford', tool: 'request_help' } })).toBe(
      true,
    );
    expect(codexAcp.namesOwnTool({ ...call, rawInput: { server: 'db' } })).toBe(false);
    expect(codexAcp.namesOwnTool(call)).toBe(false);
  });
});
