import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { textResult } from './tool-result.ts';

/** What an agent gets in place of the result of a call that did not run. */
export function refusal(text: string): CallToolResult {
  return { isError: true, ...textResult(text) };
}
