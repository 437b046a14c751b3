import { isJsonObject } from '../../../lib/json/json-object.ts';
import { jsonValue } from '../../../lib/json/json-value.ts';
import type { AcpStart, LaunchOrder } from '../agent-adapter.ts';
import { codexServer } from './codex-server.ts';

/** Which Codex the program runs. */
const EXECUTABLE = 'CODEX_PATH';

/** Its configuration, as JSON: it counts more than any file. */
const CONFIG = 'CODEX_CONFIG';

/** In which mode it begins. */
const MODE = 'INITIAL_AGENT_MODE';

/** Codex over the Agent Client Protocol: a program of the protocol's makers speaks for it. */
export const codexAcp: AcpStart = {
  program: {
    bin: 'codex-acp',
    install: 'npm install -g @agentclientprotocol/codex-acp',
    tested: ['2.6.0'],
  },
  tested: ['0.169.0'],
  resumes: true,
  // In its configuration the server can have a limit for calls that lasts.
  takesMcp: false,
  namesOwnTool: ({ rawInput }) => isJsonObject(rawInput) && rawInput['server'] === 'clifford',
  launch: (order) => {
    const { args, cli, env } = order;
    const executable = env[EXECUTABLE] ?? cli;
    return {
      args,
      input: undefined,
      keepsStdin: true,
      env: {
        [CONFIG]: configText(order),
        // By itself it lets a model decide.
        [MODE]: env[MODE] ?? 'read-only',
        ...(executable === undefined ? {} : { [EXECUTABLE]: executable }),
      },
    };
  },
};

function configText({ env, mcp, model }: LaunchOrder): string {
  const text = env[CONFIG] ?? '';
  const users = text.trim() === '' ? {} : jsonValue(text);
  // The program says itself what is wrong with it.
  if (!isJsonObject(users)) return text;
  const servers = isJsonObject(users['mcp_servers']) ? users['mcp_servers'] : {};
  return JSON.stringify({
    ...users,
    ...(model === undefined ? {} : { model }),
    mcp_servers: { ...servers, clifford: codexServer(mcp) },
  });
}
