import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { CliffordError } from '../../errors.ts';
import { messageOf } from '../../lib/message-of.ts';

export function textResult(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] };
}

/** Some agents show their model only the text, others only the structure: both carry everything. */
export function jsonResult(value: Record<string, unknown>): CallToolResult {
  return { ...textResult(JSON.stringify(value, null, 2)), structuredContent: value };
}

/** What an agent gets in place of the result of a call that did not run. */
export function refusal(text: string): CallToolResult {
  return { isError: true, ...textResult(text) };
}

/** What an agent reads of an error: what failed and what to do, never a stack. */
export function errorResult(error: unknown): CallToolResult {
  return refusal(errorText(error));
}

/** A Clifford error with its fix; a bug as such. */
export function errorText(error: unknown): string {
  if (error instanceof CliffordError) {
    // Programs compare this one to the letter.
    return error.code === 'MANIFEST_MISSING' ? error.message : error.inOneLine;
  }
  const message = messageOf(error);
  return `Clifford has a bug: ${message}. Its stack is on the server's stderr; tell your human, and go on without this call if you can`;
}
