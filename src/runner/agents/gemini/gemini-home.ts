import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { readPlainFile } from '../../../lib/files/plain-file.ts';
import { codeOf, systemCodeOf } from '../../../lib/system-error.ts';
import type { Launch, LaunchOrder } from '../agent-adapter.ts';
import { jsoncValue } from '../../../lib/json/json-tree.ts';

/** Longest settings that are read, in bytes. */
const MAX_BYTES = 1_048_576;

const FOLDER = '.gemini';
const SETTINGS = 'settings.json';

/** Where it keeps its sessions, and what tells which project they belong to. */
const KEPT = ['tmp', 'history'] as const;

const settingsSchema = z.looseObject({
  mcpServers: z.record(z.string(), z.unknown()).optional(),
  mcp: z
    .looseObject({ allowed: z.array(z.string()).optional(), excluded: z.array(z.string()).optional() })
    .optional(),
});

type Settings = z.output<typeof settingsSchema>;

/**
 * A home for one run of Gemini CLI: its settings are the user's with one MCP server more, all else in it is the
 * user's own, by links. Flags cannot name a server, and settings of the system count only where they belong
 * to root; the user's files are not touched.
 */
export function geminiHome(
  { env, runDir }: Pick<LaunchOrder, 'env' | 'runDir'>,
  server: Readonly<Record<string, unknown>>,
): Pick<Launch, 'env' | 'files' | 'links'> {
  const users = env['GEMINI_CLI_HOME'] || env['HOME'] || homedir();
  const own = join(runDir, 'home');
  const settings = withServer(join(users, FOLDER, SETTINGS), server);
  const names = new Set([...namesIn(join(users, FOLDER)), ...KEPT]);
  // What cannot be read is left for the CLI to complain about.
  if (settings !== undefined) names.delete(SETTINGS);
  const linked = [...names].map((name) => join(FOLDER, name));
  const others = namesIn(users).filter((name) => name === '.agents');
  return {
    env: { GEMINI_CLI_HOME: own },
    files: settings === undefined ? [] : [{ path: join(own, FOLDER, SETTINGS), text: settings }],
    links: [...linked, ...others].map((name) => ({
      path: join(own, name),
      target: join(users, name),
      isFolder: KEPT.some((kept) => name === join(FOLDER, kept)),
    })),
  };
}

/** The text of the settings with the server. `undefined`: they cannot be read. */
function withServer(file: string, server: Readonly<Record<string, unknown>>): string | undefined {
  const settings = readSettings(file);
  if (!settings) return undefined;
  const { mcp } = settings;
  const lists = {
    ...(mcp?.allowed && { allowed: [...mcp.allowed, 'clifford'] }),
    ...(mcp?.excluded && { excluded: mcp.excluded.filter((name) => name !== 'clifford') }),
  };
  const merged = {
    ...settings,
    mcpServers: { ...settings.mcpServers, clifford: server },
    ...(mcp && { mcp: { ...mcp, ...lists } }),
  };
  return `${JSON.stringify(merged, null, 2)}\n`;
}

/** None where there is no file; `undefined` where it cannot be read, or is not what the CLI could read. */
function readSettings(file: string): Settings | undefined {
  try {
    return settingsSchema.safeParse(jsoncValue(readPlainFile(file, { maxBytes: MAX_BYTES }).toString('utf8')))
      .data;
  } catch (error) {
    return systemCodeOf(error) === 'ENOENT' ? {} : undefined;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    // Not there, or not ours to read: the CLI sees for itself.
    if (codeOf(error) === undefined) throw error;
    return [];
  }
}
