import { JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { jsonValue } from '../../../workflow/json-value.ts';

/**
 * The messages in one line of a server's stdout: one, or a batch, or none in what it printed by mistake. A
 * message behind text that lacks its newline (`loading...{"jsonrpc":…`) is found.
 */
export function readMessages(line: string): readonly JSONRPCMessage[] {
  const start = line.indexOf('{');
  const value = jsonValue(line) ?? (start > 0 ? jsonValue(line.slice(start)) : undefined);
  const messages: JSONRPCMessage[] = [];
  for (const each of Array.isArray(value) ? value : [value]) {
    const parsed = JSONRPCMessageSchema.safeParse(each);
    if (parsed.success) messages.push(parsed.data);
  }
  return messages;
}
