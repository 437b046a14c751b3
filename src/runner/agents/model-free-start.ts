import { z } from 'zod';
import type { AdapterName } from '../../workflow/config/adapter-names.ts';
import type { Launch } from './agent-adapter.ts';
import { jsonObject } from './output/json-line.ts';

/** How an agent CLI is made to start its MCP servers without asking a model anything. */
export type ModelFreeStart = {
  /** How it is called, made from how it would be called for a run. */
  readonly args: (launch: Launch) => readonly string[];
  /** Added to the environment of the launch. */
  readonly env?: Readonly<Record<string, string>>;
  /** What is written to its stdin, which stays open. */
  readonly input?: (projectRoot: string) => string;
  /** Whether its user is logged in, where a line that it prints says so. */
  readonly isLoggedIn?: (line: string) => boolean | undefined;
  /** It starts no server for somebody who is not. */
  readonly needsLogin?: true;
};

const clientInfo = { name: 'clifford-doctor', title: 'Clifford', version: '0' };

/** By adapter. Cursor reads its servers from files only: there is nothing to start it with. */
export const modelFreeStarts: Readonly<Partial<Record<AdapterName, ModelFreeStart>>> = {
  opencode: { args: () => ['mcp', 'list'] },
  claude: {
    args: ({ args }) => [
      '-p',
      '--verbose',
      '--input-format=stream-json',
      '--output-format=stream-json',
      ...picked(args, ['--mcp-config']),
      ...args.filter((arg) => arg === '--strict-mcp-config'),
    ],
    input: () => lines({ type: 'control_request', request_id: '1', request: { subtype: 'initialize' } }),
    isLoggedIn: (line) => {
      const said = claudeAccount.safeParse(jsonObject(line));
      if (!said.success) return undefined;
      const { tokenSource, apiKeySource = 'none' } = said.data.response.response.account;
      return tokenSource !== 'none' || apiKeySource !== 'none';
    },
  },
  codex: {
    args: ({ args }) => ['app-server', ...picked(args, ['-c', '--config'], /^mcp_servers\./)],
    input: () =>
      lines(
        { id: 1, method: 'initialize', params: { clientInfo } },
        { method: 'initialized' },
        { id: 2, method: 'account/read', params: { refreshToken: false } },
        { id: 3, method: 'mcpServerStatus/list', params: {} },
      ),
    isLoggedIn: (line) => {
      const said = codexAccount.safeParse(jsonObject(line));
      return said.success
        ? said.data.result.account !== null || !said.data.result.requiresOpenaiAuth
        : undefined;
    },
  },
  gemini: {
    args: () => ['mcp', 'list'],
    // As with --skip-trust, which this command does not take.
    env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' },
  },
  copilot: {
    needsLogin: true,
    args: ({ args }) => ['--acp', ...picked(args, ['--additional-mcp-config'])],
    input: (cwd) =>
      lines(
        { id: 1, method: 'initialize', params: { protocolVersion: 1, clientCapabilities: {} } },
        { id: 2, method: 'session/new', params: { cwd, mcpServers: [] } },
      ),
    isLoggedIn: (line) => {
      const said = acpSession.safeParse(jsonObject(line));
      return said.success ? said.data.error === undefined : undefined;
    },
  },
};

const claudeAccount = z.looseObject({
  type: z.literal('control_response'),
  response: z.looseObject({
    response: z.looseObject({
      account: z.looseObject({
        tokenSource: z.string().default('none'),
        apiKeySource: z.string().optional(),
      }),
    }),
  }),
});

const codexAccount = z.looseObject({
  id: z.literal(2),
  result: z.looseObject({
    account: z.unknown().transform((account) => account ?? null),
    requiresOpenaiAuth: z.boolean(),
  }),
});

const acpSession = z.looseObject({ id: z.literal(2), error: z.looseObject({}).optional() });

/** Requests as JSON-RPC over lines. Claude Code takes no notice of the version. */
function lines(...messages: readonly object[]): string {
  return messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');
}

/** These flags out of an argument list, each with its value; of those with a value that fits. */
function picked(args: readonly string[], flags: readonly string[], fits = /^/): string[] {
  return args.flatMap((arg, index) => {
    const [flag = '', inline] = arg.split(/=(.*)/s, 2);
    const value = inline ?? args[index + 1];
    if (!flags.includes(flag) || value === undefined || !fits.test(value)) return [];
    return inline === undefined ? [arg, value] : [arg];
  });
}
