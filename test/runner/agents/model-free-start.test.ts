import { describe, expect, it } from 'vitest';
import { knownAgents } from '../../../src/runner/agents/known-agents.ts';
import type { AdapterName } from '../../../src/workflow/config/adapter-names.ts';

/** How an agent would be started for a run in `/p`. */
const launchOf = (name: AdapterName) =>
  knownAgents[name].launch({
    prompt: 'Do it.',
    model: 'm',
    sessionId: undefined,
    newSessionId: '1e0ad2b8-6c0f-4a52-9d5e-0d6f0f3d2f11',
    mcp: { command: '/bin/node', args: ['/c/mcp.js'], env: { CLIFFORD_PROJECT_ROOT: '/p' } },
    projectRoot: '/p',
    runDir: '/p/.clifford/runs/r',
    args: [],
    env: { HOME: '/nowhere' },
  });

/** All that such a start says: arguments, variables and files. */
const startText = (name: AdapterName) => {
  const { args, env, files = [] } = launchOf(name);
  return [...args, ...Object.values(env), ...files.map(({ text }) => text)].join('\n');
};

describe('a start without a model', () => {
  it('keeps of the arguments of a run only those that name the MCP server', () => {
    const argsOf = (name: AdapterName) => knownAgents[name].modelFree?.args(launchOf(name)) ?? [];
    expect(argsOf('claude')).toEqual([
      '-p',
      '--verbose',
      '--input-format=stream-json',
      '--output-format=stream-json',
      '--mcp-config',
      '/p/.clifford/runs/r/mcp.json',
    ]);
    expect(argsOf('copilot')).toEqual(['--acp', '--additional-mcp-config', '@/p/.clifford/runs/r/mcp.json']);
    const [command, ...flags] = argsOf('codex');
    expect(command).toBe('app-server');
    expect(flags).toContain('mcp_servers.clifford.command="/bin/node"');
    expect(
      flags.filter((flag, index) => (index % 2 === 0 ? flag !== '-c' : !flag.startsWith('mcp_servers.'))),
    ).toEqual([]);
  });

  it.each<[AdapterName, string, boolean | undefined]>([
    [
      'claude',
      '{"type":"control_response","response":{"response":{"account":{"tokenSource":"none"}}}}',
      false,
    ],
    [
      'claude',
      '{"type":"control_response","response":{"response":{"account":{"tokenSource":"none","apiKeySource":"ANTHROPIC_API_KEY"}}}}',
      true,
    ],
    [
      'claude',
      '{"type":"control_response","response":{"response":{"account":{"tokenSource":"oauth"}}}}',
      true,
    ],
    ['claude', '{"type":"system","subtype":"init"}', undefined],
    ['codex', '{"id":2,"result":{"account":null,"requiresOpenaiAuth":true}}', false],
    ['codex', '{"id":2,"result":{"account":null,"requiresOpenaiAuth":false}}', true],
    ['codex', '{"id":2,"result":{"account":{"type":"apiKey"},"requiresOpenaiAuth":true}}', true],
    ['codex', '{"id":1,"result":{"userAgent":"x"}}', undefined],
    [
      'copilot',
      '{"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"Authentication required"}}',
      false,
    ],
    ['copilot', '{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s"}}', true],
    ['copilot', 'WARNING: no JSON', undefined],
  ])('tells of %s whether its user is logged in: %s', (name, line, isLoggedIn) => {
    expect(knownAgents[name].modelFree?.isLoggedIn?.(line)).toBe(isLoggedIn);
  });
});

it.each(['opencode', 'claude', 'codex', 'gemini', 'copilot'] as const)(
  'a call of %s may wait for a day',
  (name) => {
    expect(knownAgents[name].callLimitMs).toBe(86_400_000);
    expect(startText(name)).toMatch(/"timeout": ?86400000\b|\btool_timeout_sec=86400\b/);
  },
);
