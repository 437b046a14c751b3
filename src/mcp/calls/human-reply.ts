import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { recordDelivery } from '../../workflow/requests/deliver.ts';
import { replyText } from '../../workflow/requests/reply-text.ts';
import type { ToolCall } from '../../gateway/call/tool.ts';
import { textResult } from '../../gateway/call/tool-result.ts';
import type { Unanswered, Wait } from '../../gateway/wait/wait-for-human.ts';

/**
 * The result of a call that asked a human: the answer, as one text, and recorded as delivered once it
 * has left; or what `goOn` tells the agent to do without one.
 */
export function humanReply(
  wait: Wait,
  { project, agent, afterFlush }: ToolCall,
  goOn: (unanswered: Unanswered) => string,
): CallToolResult {
  if (wait.is !== 'over') return textResult(goOn(wait));
  afterFlush(() => recordDelivery(project, [wait.request], agent.id));
  return textResult(replyText(wait.request) ?? '');
}
