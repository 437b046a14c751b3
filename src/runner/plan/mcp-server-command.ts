import { packageFile } from '../../package-file.ts';
import type { McpServerCommand } from '../agents/agent-adapter.ts';

/** How agents start Clifford's MCP server: with the Node of this process, and this environment besides. */
export function mcpServerCommand(env: Readonly<Record<string, string>>): McpServerCommand {
  return { command: process.execPath, args: [packageFile('dist/mcp-entry.js')], env };
}

/** What of an environment is meant for Clifford. Some agent CLIs hand on only what they are told to. */
export function cliffordVariables(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const own = Object.entries(env).filter(
    ([name]) => name.startsWith('CLIFFORD_') || name === 'XDG_CONFIG_HOME',
  );
  return Object.fromEntries(own.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
