import { McpError } from '@modelcontextprotocol/sdk/types.js';
import { CliffordError } from '../../errors.ts';
import { questionsOf } from '../../events/form/form.ts';
import { offersForms, type AskableClient } from '../../gateway/elicitation/askable-client.ts';
import type { ToolCall } from '../../gateway/call/tool.ts';
import { errorLine } from '../../gateway/transport/short-line.ts';
import { clip } from '../../lib/text/clip.ts';
import { visible } from '../../lib/text/visible.ts';
import type { RequestState } from '../../machines/project-state.ts';
import { loadConfig } from '../../workflow/config/load-config.ts';
import { answerRequest } from '../../workflow/requests/answer.ts';
import { elicitedSchema, saidInForm } from './elicited-form.ts';

/** What does not fit is asked again so often. Then the question waits for the other faces. */
const MAX_ROUNDS = 3;

/** Longest message, in UTF-16 units. */
const MAX_MESSAGE_LENGTH = 8_000;

/**
 * Shows an open question in the agent's client, too, where that can show a form and is trusted to show it to a human. What
 * its user accepts is the answer, if no face was faster. To decline or cancel says nothing: clients where nobody is do
 * that by themselves, and the question stays open.
 *
 * @param signal - Aborts when the question needs no answer from here any more: the client takes the form away.
 */
export async function elicitAnswer(
  request: RequestState,
  call: ToolCall,
  signal: AbortSignal,
): Promise<void> {
  const { client, agent, session } = call;
  if (!client || !(await mayElicit(request, call, client))) return;
  // Another call of the same question shows it already, or its user has closed it.
  if (session.elicited.has(request.id)) return;
  session.elicited.add(request.id);
  const who = { by: `the user of ${agent.client}`, via: agent.client ?? 'mcp' };
  try {
    await rounds(request, { ...call, client }, { who, signal });
  } catch (error) {
    if (signal.aborted) {
      session.elicited.delete(request.id);
      return;
    }
    if (!(error instanceof McpError)) throw error;
    session.report?.(
      `${agent.client} did not show question ${request.id}, which still waits: ${errorLine(error)}`,
    );
  }
}

async function mayElicit(
  { phase, asked }: RequestState,
  { agent, session }: ToolCall,
  client: AskableClient,
) {
  const isQuestion = asked.kind === 'help' || asked.kind === 'clarification';
  if (phase !== 'open' || !isQuestion || asked.approval || !offersForms(client.capabilities())) return false;
  // Where a runner has started the agent nobody sits in front of it.
  if (agent.runId !== undefined || agent.client === undefined) return false;
  const { elicitation } = await loadConfig(session);
  return elicitation.clients.includes(agent.client);
}

async function rounds(
  request: RequestState,
  { project, client }: ToolCall & { readonly client: AskableClient },
  {
    who,
    signal,
  }: { readonly who: { readonly by: string; readonly via: string }; readonly signal: AbortSignal },
): Promise<void> {
  const questions = questionsOf(request.asked);
  const requestedSchema = elicitedSchema(questions, client.protocol());
  let problem = '';
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const message = clip(visible(`${problem}${messageOf(request)}`), MAX_MESSAGE_LENGTH);
    const { action, content } = await client.request(
      'elicitation/create',
      { message, requestedSchema },
      signal,
    );
    if (action !== 'accept') return;
    try {
      await answerRequest(project, request.id, { ...saidInForm(questions, content), ...who });
      return;
    } catch (error) {
      if (!(error instanceof CliffordError) || error.code !== 'ANSWERS_UNFIT') throw error;
      problem = `${error.message.replace(/^Cannot answer [^:]*: /, 'Not sent: ')}.\n`;
    }
  }
}

function messageOf({ asked: { question, reason, context } }: RequestState): string {
  return [question, ...(reason ? [`Reason: ${reason}`] : []), ...(context ? [context] : [])].join('\n');
}
