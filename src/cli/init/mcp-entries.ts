import { adapterNames } from '../../workflow/config/adapter-names.ts';
import { commonEntry, type McpFile } from '../../runner/agents/mcp-file.ts';
import { knownAgents } from '../../runner/agents/known-agents.ts';

/** Programs that start Clifford's MCP server by themselves, as a file of the project says. */
export const mcpClients = [...adapterNames, 'vscode'] as const;

/** One of {@link mcpClients}. */
export type McpClient = (typeof mcpClients)[number];

/** Where and how a program is told of the server. */
type McpPlace = McpFile & {
  /** For people: `Claude Code`. */
  readonly title: string;
};

/** An editor, which no run starts. */
const vscode: McpPlace = {
  title: 'VS Code',
  files: ['.vscode/mcp.json'],
  format: 'json',
  entry: commonEntry({ type: 'stdio' }, 'servers'),
  folder: '.vscode',
};

/** Where and how this one is. */
export function mcpPlaceOf(client: McpClient): McpPlace {
  if (client === 'vscode') return vscode;
  const { title, mcpFile } = knownAgents[client];
  return { title, ...mcpFile };
}
