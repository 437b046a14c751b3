import type { RequestState } from '../../machines/project-state.ts';
import { askAnew, newRequestId } from '../../workflow/requests/ask.ts';
import { dismissRequest } from '../../workflow/requests/answer.ts';
import { recordDelivery } from '../../workflow/requests/deliver.ts';
import { endOf } from '../wait/wait-for-human.ts';
import { textForModel } from '../tools/text-for-model.ts';
import type { RawObject } from '../server/manager-event.ts';
import type { CallAtWork } from '../call/running-calls.ts';
import { filledForm, formText, hasFields } from './form-answer.ts';

export type AskedOfHuman = {
  readonly serverId: string;
  readonly method: string;
  readonly params: RawObject;
  readonly work: CallAtWork;
  readonly signal: AbortSignal;
};

const isRefusal = /^\s*(decline|cancel)[.!]?\s*$/i;
const isNo = /^\s*(n|no)\b/i;

/** Longest text of a server that is shown to the human, in UTF-16 units. */
const MAX_SHOWN = 20_000;

/**
 * Has a human answer what a server asks, as a question like any other: a form, in words or as JSON, or the text that
 * a model would have written. What does not fit the form is asked again.
 *
 * @throws the signal's reason when the server, or the agent, does not want it any more; the question is dismissed.
 */
export async function askHumanForServer(asked: AskedOfHuman): Promise<RawObject> {
  return asked.method === 'sampling/createMessage' ? sampled(asked) : elicited(asked);
}

async function sampled(asked: AskedOfHuman): Promise<RawObject> {
  const { answer } = await ask(asked, {
    question: textForModel(samplingText(asked.params), MAX_SHOWN),
    reason: `The MCP server ${asked.serverId} asks for a text written by a model, which this agent does not offer. Your answer is passed on to it`,
  });
  if (!answer || answer.rejected || answer.rephrase) throw new Error('The human did not write the text');
  const content = { type: 'text', text: answer.response };
  return { role: 'assistant', content, model: 'human', stopReason: 'endTurn' };
}

async function elicited(asked: AskedOfHuman): Promise<RawObject> {
  const { message, mode, url, requestedSchema } = asked.params;
  const isUrl = mode === 'url';
  const form = isUrl
    ? `Open ${String(url)} if you trust it, and answer yes when you are done`
    : formText(requestedSchema);
  let problem = '';
  for (;;) {
    const { answer } = await ask(asked, {
      question: textForModel(`${String(message)}\n${form}`, MAX_SHOWN),
      reason: `${problem}The MCP server ${asked.serverId} asks for this. Your answer is passed on to it: no passwords`,
    });
    if (!answer) return { action: 'cancel' };
    if (answer.rejected || answer.rephrase || isRefusal.test(answer.response)) return { action: 'decline' };
    if (isUrl || !hasFields(requestedSchema))
      return { action: isNo.test(answer.response) ? 'decline' : 'accept' };
    const filled = filledForm(requestedSchema, answer.response);
    if ('content' in filled) return { action: 'accept', content: filled.content };
    problem = `The last answer was not usable: ${filled.problem}. `;
  }
}

/** Asks, and waits for the end of the question. */
async function ask(
  { work: { call, place }, signal }: AskedOfHuman,
  { question, reason }: { question: string; reason: string },
): Promise<RequestState> {
  const { project, agent } = call;
  signal.throwIfAborted();
  const requestId = newRequestId();
  const { stream } = place;
  const request = await askAnew(project, {
    kind: 'help',
    stream,
    agent,
    requestId,
    question,
    reason,
    task: place.taskId,
  });
  try {
    const ended = await project.until(endOf(request), { signal });
    await recordDelivery(project, [ended], agent.id);
    return ended;
  } catch (error) {
    if (signal.aborted) call.background(withdraw(call, request));
    throw error;
  }
}

/** Nobody waits for the answer any more, and no agent is to hear of it. */
async function withdraw({ project, agent }: CallAtWork['call'], request: RequestState): Promise<void> {
  const reason = 'the call it was asked for has ended';
  await dismissRequest(project, request.id, { by: 'clifford', via: 'mcp', reason });
  await recordDelivery(project, [request], agent.id);
}

function samplingText({ systemPrompt, messages }: RawObject): string {
  const parts = Array.isArray(messages) ? messages.map(messageText) : [];
  return [...(typeof systemPrompt === 'string' ? [systemPrompt] : []), ...parts].join('\n\n') || '(nothing)';
}

function messageText(message: unknown): string {
  if (typeof message !== 'object' || message === null || !('content' in message)) return '';
  const contents: unknown[] = Array.isArray(message.content) ? message.content : [message.content];
  return contents
    .map((content) => {
      const isText = typeof content === 'object' && content !== null && 'text' in content;
      return isText ? String(content.text) : '(something that is not text)';
    })
    .join('\n');
}
