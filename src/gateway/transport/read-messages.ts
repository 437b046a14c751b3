import { ErrorCode, JSONRPCMessageSchema, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { jsonValue } from '../../lib/json/json-value.ts';

/** What is wrong with a response that is not what JSON-RPC wants, as a clause. */
export const BROKEN_RESPONSE = 'its answer is not a JSON-RPC response';

/**
 * The messages in one line of a server's stdout: one, or a batch, or none in what it printed by mistake. A
 * message behind text that lacks its newline (`loading...{"jsonrpc":…`) is found. A response that breaks the protocol
 * becomes an error, since somebody waits for it.
 */
export function readMessages(line: string): readonly JSONRPCMessage[] {
  const start = line.indexOf('{');
  // Before anything that takes time: a server may print for ever.
  if (start < 0) return [];
  const value = jsonValue(line) ?? (start > 0 ? jsonValue(line.slice(start)) : undefined);
  const messages: JSONRPCMessage[] = [];
  for (const each of Array.isArray(value) ? value : [value]) {
    const parsed = JSONRPCMessageSchema.safeParse(each);
    const message = parsed.success ? parsed.data : brokenResponse(each);
    if (message !== undefined) messages.push(message);
  }
  return messages;
}

/** What stands for a response that cannot be read; `undefined` for what answers nothing. */
function brokenResponse(value: unknown): JSONRPCMessage | undefined {
  if (typeof value !== 'object' || value === null || 'method' in value || !('id' in value)) return undefined;
  const { id } = value;
  if (typeof id !== 'string' && typeof id !== 'number') return undefined;
  return { jsonrpc: '2.0', id, error: { code: ErrorCode.InternalError, message: BROKEN_RESPONSE } };
}
