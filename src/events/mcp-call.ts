import { isJsonObject } from '../lib/json/json-object.ts';
import type { Fields } from './call-files/field-names.ts';

/** A tool of an MCP server, as an agent calls it that has the server for itself. */
export type McpCall = { readonly server: string; readonly tool: string; readonly args: Fields | null };

/** What Codex says of such a call, which it takes for one of kind `execute`. `undefined`: it is none. */
export function mcpCallIn({ server, tool, arguments: args, ...others }: Fields): McpCall | undefined {
  if (typeof server !== 'string' || typeof tool !== 'string' || server === '' || tool === '')
    return undefined;
  const areArguments = args === null || isJsonObject(args);
  // The folder of its session Clifford adds.
  const isAll = Object.keys(others).every((name) => name === 'cwd');
  return areArguments && isAll ? { server, tool, args } : undefined;
}
