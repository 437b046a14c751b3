import { join } from 'node:path';
import { problemText } from '../../workflow/config/config-problem.ts';
import { readSmallFile } from '../../lib/files/small-file.ts';
import { unreadableFile, withoutFile } from './empty-reading.ts';
import type { McpConfigReading } from './mcp-config-reading.ts';
import type { McpConfigSource } from './parse-mcp-config.ts';

/** The file of a project that names the servers behind Clifford, and the policy for them. */
export const MCP_CONFIG_FILE = 'mcp.json';

/** Where to look, and whom to tell what is wrong. */
export type McpConfigPlace = {
  /** The project's root, absolute. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Told one line about each problem and each warning. */
  readonly report?: ((line: string) => void) | undefined;
};

/**
 * Reads a project's `mcp.json` as it is now. Never throws: a server with a mistake is left out, a policy with one
 * refuses every call. Reading starts nothing: whether anything may be started, `trustOf` says.
 */
export async function loadMcpConfig({ root, env, report }: McpConfigPlace): Promise<McpConfigReading> {
  const file = join(root, MCP_CONFIG_FILE);
  const bytes = await readSmallFile(file);
  if (bytes === undefined) return withoutFile(file);
  const reading =
    'refused' in bytes
      ? unreadableFile(file, { file, rule: bytes.refused })
      : await parsed({ root, env, file }, bytes.toString('utf8'));
  if (report) for (const line of [...reading.problems.map(problemText), ...reading.warnings]) report(line);
  return reading;
}

/** Most projects have no such file: the parser is loaded when one does. */
async function parsed(source: McpConfigSource, text: string): Promise<McpConfigReading> {
  const { parseMcpConfig } = await import('./parse-mcp-config.ts');
  return parseMcpConfig(source, text);
}
