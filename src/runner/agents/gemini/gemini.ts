import { commonEntry } from '../mcp-file.ts';
import type { KnownAgent } from '../agent-adapter.ts';
import { geminiHome } from './gemini-home.ts';
import { createGeminiParser } from './gemini-output.ts';
import { BELOW_LIMIT, CALL_LIMIT_MS } from '../raised-limits.ts';

/** Gemini CLI: MCP servers stand in its settings only, so a run has a home of its own. */
export const gemini: KnownAgent = {
  name: 'gemini',
  title: 'Gemini CLI',
  bin: 'gemini',
  install: 'npm install -g @google/gemini-cli',
  supported: { from: '0.61.0', below: '1.0.0' },
  connects: true,
  resumes: true,
  toolName: (tool) => `mcp_clifford_${tool}`,
  callLimitMs: CALL_LIMIT_MS,
  // As with --skip-trust, which this command does not take.
  modelFree: { args: () => ['mcp', 'list'], env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' } },
  mcpFile: {
    files: ['.gemini/settings.json'],
    format: 'json',
    entry: commonEntry({ timeout: CALL_LIMIT_MS, trust: true, env: BELOW_LIMIT }),
  },
  createParser: () => createGeminiParser(),
  launch(order) {
    const { prompt, model, sessionId, mcp, args } = order;
    const env = withoutDollar({ ...BELOW_LIMIT, ...mcp.env });
    const server = { command: mcp.command, args: mcp.args, env, timeout: CALL_LIMIT_MS, trust: true };
    return {
      args: [
        '--output-format',
        'stream-json',
        '--approval-mode',
        'yolo',
        '--skip-trust',
        ...(model === undefined ? [] : ['--model', model]),
        ...(sessionId === undefined ? [] : ['--resume', sessionId]),
        ...args,
      ],
      // Without --prompt it reads stdin, which may be longer than an argument, and begin with a dash.
      input: prompt,
      ...geminiHome(order, server),
    };
  },
};

/**
 * What stands in the settings of the server's variables. Gemini CLI puts variables in the place of `$NAME` there,
 * more than once: a value with a `$` the server inherits from the agent, which has the same variables.
 */
function withoutDollar(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => !value.includes('$')));
}
