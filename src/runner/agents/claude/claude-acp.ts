import { isJsonObject } from '../../../lib/json/json-object.ts';
import type { AcpCall } from '../../acp/acp-call.ts';
import type { AcpStart } from '../agent-adapter.ts';
import { literalEnv } from '../literal-env.ts';
import { CALL_LIMIT_MS } from '../raised-limits.ts';
import { waitingEnv } from './waiting-env.ts';

/** What it asks about, whatever rules of the project or the user's would let it do unasked. */
const ASKS = ['Bash', 'Edit', 'Write', 'NotebookEdit', 'WebFetch'];

/** Which Claude Code the program runs. */
const EXECUTABLE = 'CLAUDE_CODE_EXECUTABLE';

/** Claude Code over the Agent Client Protocol: a program of the protocol's makers speaks for it. */
export const claudeAcp: AcpStart = {
  program: {
    bin: 'claude-agent-acp',
    install: 'npm install -g @agentclientprotocol/claude-agent-acp',
    tested: ['0.101.0'],
  },
  tested: ['2.1.330'],
  resumes: true,
  // As the protocol hands servers over they have no limit for calls.
  takesMcp: false,
  // It begins in one in which a classifier decides.
  mode: 'default',
  isOwnTool: (call) => serverOf(call) === 'clifford',
  namesOwnTool: (call) => serverOf(call) === 'clifford' || toolOf(call).startsWith('mcp__clifford__'),
  launch: ({ args, cli, env, mcp, model }) => {
    const executable = env[EXECUTABLE] ?? cli;
    const clifford = { type: 'stdio', ...mcp, env: literalEnv(mcp.env), timeout: CALL_LIMIT_MS };
    return {
      args,
      input: undefined,
      keepsStdin: true,
      env: {
        ...waitingEnv(env),
        ...(executable === undefined ? {} : { [EXECUTABLE]: executable }),
        ...(model === undefined ? {} : { ANTHROPIC_MODEL: model }),
      },
      sessionMeta: {
        claudeCode: {
          options: {
            mcpServers: { clifford },
            settings: { permissions: { ask: ASKS } },
            // Nobody is there to take one up, and each costs a request.
            promptSuggestions: false,
          },
        },
      },
    };
  },
};

function detailsOf({ _meta }: AcpCall): Readonly<Record<string, unknown>> {
  const details = _meta?.['claudeCode'];
  return isJsonObject(details) ? details : {};
}

/** The MCP server whose tool is called. */
function serverOf(call: AcpCall): unknown {
  const { mcpServer } = detailsOf(call);
  return isJsonObject(mcpServer) ? mcpServer['name'] : undefined;
}

function toolOf(call: AcpCall): string {
  const { toolName } = detailsOf(call);
  return typeof toolName === 'string' ? toolName : '';
}
