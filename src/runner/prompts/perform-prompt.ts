import type { Project } from '../../workflow/project/project.ts';
import { IllegalDecision } from '../../workflow/project/illegal-decision.ts';
import { dismissRequest } from '../../workflow/requests/answer.ts';
import { askAnew, newRequestId } from '../../workflow/requests/ask.ts';
import { deliveryOf, detachmentOf } from '../../workflow/requests/deliver.ts';
import { requestById } from '../../workflow/requests/find-request.ts';
import type { Attempt } from '../attempt/attempt.ts';
import { isSecretPrompt } from './is-secret-prompt.ts';
import { promptReason } from './typed-answer.ts';

/** An action about a prompt of an attempt. */
export type PromptDeps = {
  readonly project: Project;
  readonly stream: string;
  readonly attempt: Attempt;
  /** How the runner is named as the author of its decisions. */
  readonly by: string;
};

/** Makes a request of the prompt that an agent waits at. */
export async function askPrompt({ project, stream, attempt }: PromptDeps): Promise<void> {
  const { runId, taskId, prompt, isTypable, client } = attempt.atPrompt();
  if (!prompt) return;
  const { kind, question, context, options } = prompt;
  const agent = { id: runId, runId, client };
  const isSecret = isSecretPrompt(prompt);
  const requestId = newRequestId();
  // First: from here on it may be answered, and the agent may go on.
  attempt.prompts.noteAsked(requestId);
  try {
    const request = await askAnew(project, {
      stream,
      agent,
      requestId,
      kind: 'prompt',
      task: taskId,
      question,
      reason: promptReason(prompt, { isTypable, isSecret }),
      ...(isTypable ? {} : { untypable: true as const }),
      ...(kind === 'key' ? { awaitsKey: true as const } : {}),
      secret: isSecret,
      ...(context === '' ? {} : { context }),
      ...(options.length === 0 ? {} : { options: [...options] }),
    });
    if (!isTypable) attempt.noteFact(detachmentOf(request, { agentId: runId, why: 'its stdin is closed' }));
  } catch (error) {
    if (!(error instanceof IllegalDecision)) {
      attempt.prompts.noteUnasked();
      throw error;
    }
    // Its attempt ended meanwhile.
    attempt.prompts.forget();
  }
}

/** Types the answer into the agent. One that does not take it any more is ended by the next decision. */
export async function typeAnswer({ project, attempt }: PromptDeps): Promise<void> {
  const { runId, prompt } = attempt.atPrompt();
  const request = prompt?.requestId === undefined ? undefined : requestById(project.state, prompt.requestId);
  if (!prompt || !request?.answer) return;
  if (!(await attempt.type(prompt, request.answer))) return;
  attempt.prompts.forget();
  // What works on it now may be silent for as long as ever.
  attempt.vitals.noteEvent();
  attempt.noteFact(deliveryOf(request, runId));
}

/** Lets go of a prompt that needs no answer any more. */
export async function endPrompt({ project, attempt, by }: PromptDeps): Promise<void> {
  const { requestId, hasGoneOn = false } = attempt.prompts.found ?? {};
  const request = requestId === undefined ? undefined : requestById(project.state, requestId);
  const reason = hasGoneOn ? 'the agent went on by itself' : 'the agent has ended';
  if (request?.phase === 'open') await dismissRequest(project, request.id, { by, via: 'runner', reason });
  attempt.prompts.forget();
}
