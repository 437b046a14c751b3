import { commonEntry } from '../mcp-file.ts';
import { ownToolNames } from '../../../workflow/project/own-tools.ts';
import type { AcpCall } from '../../acp/acp-call.ts';
import { geminiAtModel } from './gemini-at-model.ts';
import type { KnownAgent, LaunchOrder } from '../agent-adapter.ts';
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
  atModel: geminiAtModel,
  modelFree: { args: () => ['mcp', 'list'], env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' } },
  mcpFile: {
    files: ['.gemini/settings.json'],
    format: 'json',
    entry: commonEntry({ timeout: CALL_LIMIT_MS, trust: true, env: BELOW_LIMIT }),
  },
  createParser: () => createGeminiParser(),
  acp: {
    tested: ['0.61.0'],
    // Its sessions end with its process.
    resumes: false,
    takesMcp: false,
    isOwnTool,
    namesOwnTool: isOwnTool,
    launch: (order) => ({
      args: [
        '--acp',
        '--skip-trust',
        ...(order.model === undefined ? [] : ['--model', order.model]),
        ...order.args,
      ],
      input: undefined,
      keepsStdin: true,
      ...geminiHome(order, serverOf(order)),
    }),
  },
  launch(order) {
    const { prompt, model, sessionId, args } = order;
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
      ...geminiHome(order, serverOf(order)),
    };
  },
};

function serverOf({ mcp }: LaunchOrder): Readonly<Record<string, unknown>> {
  const env = withoutDollar({ ...BELOW_LIMIT, ...mcp.env });
  return { command: mcp.command, args: mcp.args, env, timeout: CALL_LIMIT_MS, trust: true };
}

/** It puts the name of the tool into the id of a call, as it knows it from the server. */
function isOwnTool({ toolCallId }: AcpCall): boolean {
  return ownToolNames.some((tool) => new RegExp(`^mcp_clifford_${tool}(?![a-z])`).test(toolCallId));
}

/**
 * What stands in the settings of the server's variables. Gemini CLI puts variables in the place of `$NAME` there,
 * more than once: a value with a `$` the server inherits from the agent, which has the same variables.
 */
function withoutDollar(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => !value.includes('$')));
}
