import { z } from 'zod';
import { opencodeAtModel } from './opencode-at-model.ts';
import type { KnownAgent, LaunchOrder } from '../agent-adapter.ts';
import { jsoncValue } from '../../../lib/json/json-tree.ts';
import { createOpencodeParser } from './opencode-output.ts';
import { CALL_LIMIT_MS } from '../raised-limits.ts';

/** OpenCode: the MCP server stands in a variable of the run, merged over what the user has in it. */
export const opencode: KnownAgent = {
  name: 'opencode',
  title: 'OpenCode',
  bin: 'opencode',
  install: 'npm install -g opencode-ai',
  // Version 2 has another configuration.
  supported: { from: '1.18.33', below: '2.0.0' },
  connects: true,
  resumes: true,
  toolName: (tool) => `clifford_${tool}`,
  callLimitMs: CALL_LIMIT_MS,
  atModel: opencodeAtModel,
  modelFree: { args: () => ['mcp', 'list'] },
  mcpFile: {
    files: ['opencode.json', 'opencode.jsonc'],
    format: 'json',
    head: { $schema: 'https://opencode.ai/config.json' },
    entry: (serve) => ({
      path: ['mcp', 'clifford'],
      value: { type: 'local', command: serve, enabled: true, timeout: CALL_LIMIT_MS },
    }),
  },
  createParser: createOpencodeParser,
  acp: {
    tested: ['1.18.33'],
    // Only those of the last step of a turn, when that is over; what it costs it says for all.
    hidesTokens: true,
    resumes: true,
    // In its configuration the server can have a limit for calls that lasts.
    takesMcp: false,
    namesOwnTool: ({ kind, title }) => kind === 'other' && (title ?? '').startsWith('clifford_'),
    launch: (order) => ({
      args: ['acp', '--print-logs', '--log-level', 'WARN', ...order.args],
      input: undefined,
      keepsStdin: true,
      env: { [CONFIG]: configText(order, order.model), OPENCODE_PERMISSION: JSON.stringify(ASKS) },
    }),
  },
  launch(order) {
    const { prompt, model, sessionId, projectRoot, args } = order;
    return {
      args: [
        'run',
        '--format',
        'json',
        '--auto',
        // What goes wrong it says only in its log: refusals it tries again after, servers that did not start.
        '--print-logs',
        '--log-level',
        'WARN',
        // Else it works in $PWD, which is where Clifford was started.
        '--dir',
        projectRoot,
        ...(model === undefined ? [] : ['--model', model]),
        ...(sessionId === undefined ? [] : ['--session', sessionId]),
        ...args,
      ],
      // Arguments it joins with quotes of its own.
      input: prompt,
      env: { [CONFIG]: configText(order) },
    };
  },
};

/** What it asks about: all that changes something, or leads out of the project. */
const ASKS = { bash: 'ask', edit: 'ask', webfetch: 'ask', external_directory: 'ask' };

const CONFIG = 'OPENCODE_CONFIG_CONTENT';

const configSchema = z.looseObject({ mcp: z.looseObject({}).default({}) });

/** `model`: where no flag names it. */
function configText({ env, mcp: { command, args, env: environment } }: LaunchOrder, model?: string): string {
  const users = env[CONFIG] ?? '';
  const config = readConfig(users);
  // Without the user's rules nothing is to run: OpenCode says itself what is wrong with them.
  if (!config) return users;
  const clifford = {
    type: 'local',
    command: [command, ...args],
    environment,
    enabled: true,
    timeout: CALL_LIMIT_MS,
  };
  const named = model === undefined ? {} : { model };
  return JSON.stringify({ ...config, ...named, mcp: { ...config.mcp, clifford } });
}

/** What the user has in the variable. `undefined`: OpenCode could not read it either. */
function readConfig(text: string): z.output<typeof configSchema> | undefined {
  if (text.trim() === '') return { mcp: {} };
  return configSchema.safeParse(jsoncValue(text)).data;
}
