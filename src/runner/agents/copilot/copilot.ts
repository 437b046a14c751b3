import { join } from 'node:path';
import { sharedMcpFile } from '../mcp-file.ts';
import { copilotAtModel } from './copilot-at-model.ts';
import type { KnownAgent, LaunchOrder } from '../agent-adapter.ts';
import { createCopilotParser } from './copilot-output.ts';
import { literalEnv } from '../literal-env.ts';
import { mcpServersText } from '../mcp-servers-text.ts';
import { CALL_LIMIT_MS } from '../raised-limits.ts';
import { z } from 'zod';
import { pickedFlags, requestLines, type ModelFreeStart } from '../model-free-start.ts';
import { jsonObject } from '../output/json-line.ts';

const sessionSchema = z.looseObject({ id: z.literal(2), error: z.looseObject({}).optional() });

/** A session of the agent client protocol starts its servers before the first prompt. */
const copilotModelFree: ModelFreeStart = {
  needsLogin: true,
  args: ({ args }) => ['--acp', ...pickedFlags(args, ['--additional-mcp-config'])],
  input: (cwd) =>
    requestLines(
      { id: 1, method: 'initialize', params: { protocolVersion: 1, clientCapabilities: {} } },
      { id: 2, method: 'session/new', params: { cwd, mcpServers: [] } },
    ),
  isLoggedIn: (line) => {
    const said = sessionSchema.safeParse(jsonObject(line));
    return said.success ? said.data.error === undefined : undefined;
  },
};

/** The file that names Clifford's server. */
function mcpConfig({ mcp, runDir }: LaunchOrder): { readonly path: string; readonly text: string } {
  const clifford = { type: 'local', ...mcp, env: literalEnv(mcp.env), tools: ['*'], timeout: CALL_LIMIT_MS };
  return { path: join(runDir, 'mcp.json'), text: mcpServersText(clifford) };
}

const usageFile = (runDir: string) => join(runDir, 'usage.json');

/** GitHub Copilot CLI: the MCP server stands in a file of the run. It names its session only when it ends. */
export const copilot: KnownAgent = {
  name: 'copilot',
  title: 'GitHub Copilot CLI',
  bin: 'copilot',
  install: 'npm install -g @github/copilot',
  supported: { from: '1.0.102', below: '2.0.0' },
  connects: true,
  resumes: true,
  toolName: (tool) => `clifford-${tool}`,
  callLimitMs: CALL_LIMIT_MS,
  atModel: copilotAtModel,
  modelFree: copilotModelFree,
  mcpFile: sharedMcpFile(CALL_LIMIT_MS),
  createParser: (run) => createCopilotParser(run && usageFile(run.runDir)),
  acp: {
    tested: ['1.0.102'],
    flaw: 'over ACP it says only in prose that a plan is used up, or a key is wrong',
    resumes: true,
    // Over the protocol it takes none that is started.
    takesMcp: false,
    countsSession: true,
    namesOwnTool: ({ kind, title }) => kind !== 'execute' && (title ?? '').startsWith('clifford-'),
    launch(order) {
      const config = mcpConfig(order);
      const model = order.model === undefined ? [] : ['--model', order.model];
      return {
        args: [
          '--acp',
          '--stdio',
          '--additional-mcp-config',
          `@${config.path}`,
          // By the name of the server: its titles are the model's own words.
          '--allow-tool',
          'clifford',
          ...model,
          ...order.args,
        ],
        input: undefined,
        keepsStdin: true,
        env: {},
        files: [config],
      };
    },
  },
  launch(order) {
    const { prompt, model, sessionId, newSessionId, runDir, args } = order;
    const config = mcpConfig(order);
    // The same flag begins a session and goes on with it.
    const session = sessionId ?? newSessionId;
    return {
      args: [
        '--output-format',
        'json',
        '--allow-all',
        // Clifford's tools ask, not one that waits for a terminal.
        '--no-ask-user',
        '--additional-mcp-config',
        `@${config.path}`,
        '--usage-output-file',
        usageFile(runDir),
        '--session-id',
        session,
        ...(model === undefined ? [] : ['--model', model]),
        ...args,
      ],
      input: prompt,
      env: {},
      files: [config],
      sessionId: session,
    };
  },
};
