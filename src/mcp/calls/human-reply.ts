import { z } from 'zod';
import { MAX_TEXT_LENGTH } from '../../events/field-schemas.ts';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { labelledAnswers } from '../../events/form/labelled-answers.ts';
import type { RequestState } from '../../machines/project-state.ts';
import { attributedReply } from '../../workflow/requests/reply-text.ts';
import { elicitAnswer } from './elicit-answer.ts';
import type { ToolCall } from '../../gateway/call/tool.ts';
import { textResult } from '../../gateway/call/tool-result.ts';
import { waitForHuman, type Unanswered, type WaitOptions } from '../../gateway/wait/wait-for-human.ts';

/** The question to a human, as a tool's argument. */
export const questionField = z
  .string()
  .trim()
  .min(1)
  .max(MAX_TEXT_LENGTH)
  .describe('The question, complete: the human may not have seen your work');

/**
 * Waits for the human, and makes the result of the call that asked: the answer, as one text, or what `goOn` tells the
 * agent to do without one. The agent's client shows the question, too, where it may. Of a form the answers come as a structure, too.
 */
export async function humanReply(
  request: RequestState,
  call: ToolCall,
  { goOn, ...options }: WaitOptions & { readonly goOn: (unanswered: Unanswered) => string },
): Promise<CallToolResult> {
  const needed = new AbortController();
  call.background(elicitAnswer(request, call, AbortSignal.any([needed.signal, call.signal])));
  const wait = await waitForHuman(request, call, options).finally(() => needed.abort());
  if (wait.is !== 'over') return textResult(goOn(wait));
  call.delivers([wait.request]);
  const text = textResult(attributedReply(wait.request));
  const { asked, answer } = wait.request;
  if (!asked.questions || !answer?.answers) return text;
  // Some agents show their model the structure in place of the text.
  return { ...text, structuredContent: { answers: labelledAnswers(asked.questions, answer.answers) } };
}
