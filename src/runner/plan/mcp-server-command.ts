import { packageFile } from '../../package-file.ts';
import type { McpServerCommand } from '../agents/agent-adapter.ts';

/** How agents start Clifford's MCP server: with the Node of this process, and this environment besides. */
export function mcpServerCommand(env: Readonly<Record<string, string>>): McpServerCommand {
  return { command: process.execPath, args: [packageFile('dist/mcp-entry.js')], env };
}

/** Secrets, which would be read by others where an agent CLI is told the environment of a server: in files, in arguments. */
const SECRETS = new Set(['CLIFFORD_LOG_PASSWORD', 'CLIFFORD_LOG_TOKEN']);

/** What of an environment is meant for Clifford. Some agent CLIs hand on only what they are told to. */
export function cliffordVariables(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const own = Object.entries(env).filter(
    ([name]) => (name.startsWith('CLIFFORD_') && !SECRETS.has(name)) || name === 'XDG_CONFIG_HOME',
  );
  return Object.fromEntries(own.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
