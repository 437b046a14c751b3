import { agentsWordText, isAgentsWord } from '../../events/answerer.ts';
import { allowsCall } from '../../events/approval.ts';
import type { FormQuestion } from '../../events/form/form.ts';
import type { RequestState } from '../../machines/project-state.ts';
import { isUnseen } from '../../lib/text/hidden-characters.ts';
import { isAgentsEnd } from '../../machines/humans-word.ts';
import { isForAskerAlone } from '../../machines/typed-words.ts';
import { callName } from './call-name.ts';
import { editedArgs } from './edited-call.ts';
import { questionedReply } from './explain-first.ts';
import { ownTool } from '../project/own-tools.ts';

const FOR_ASKER_ALONE =
  'It was answered. What was said is for that program alone, and is not told to you: where you need it, the program ' +
  'asks again.';

/** Of a no that holds no more. */
const BEGUN_ANEW = 'Its task has been begun anew since';

/** How an agent asks, and reads its sprint, as it would type or call that. */
export type AgentMeans = { readonly ask: string; readonly readSprint: string };

/**
 * What an agent is told about the end of its question: the answer as the human wrote it, and nothing
 * else; or that the question was rejected or dismissed, or ended with its task. `undefined` while it is open.
 *
 * @param means - Default: the tools of Clifford.
 */
export function replyText(request: RequestState, means = toolsFor(request)): string | undefined {
  return request.asked.approval ? approvalReply(request, means) : questionReply(request, means);
}

function toolsFor({ asked }: RequestState): AgentMeans {
  const ask = asked.kind === 'clarification' ? ownTool.askClarification : ownTool.requestHelp;
  return { ask, readSprint: ownTool.getSprintContext };
}

/** The same for an agent that hears of it by a tool, or when it starts: an agent's word is not taken for a human's. */
export function attributedReply(request: RequestState): string {
  const text = replyText(request) ?? '';
  const { asked, answer, dismissal } = request;
  const by = (answer ?? dismissal)?.by ?? '';
  return isAgentsWord(by) ? `This is ${agentsWordText(by, asked.origin.runId)}: ${text}` : text;
}

function questionReply(request: RequestState, { ask, readSprint }: AgentMeans): string | undefined {
  const { id, answer, dismissal, hasLapsed } = request;
  if (isForAskerAlone(request)) return FOR_ASKER_ALONE;
  if (answer?.rejected) {
    const then = hasLapsed
      ? `${BEGUN_ANEW}: take the reason as guidance, and ask again where you need to.`
      : 'Do not ask it again as it is. Take the reason as guidance: change what you do, or ask something better.';
    return `The human rejected this question (${id}): ${answer.response}\n${then}`;
  }
  if (answer?.rephrase) {
    const how = isUnseen(answer.response) ? '' : `: ${answer.response}`;
    return (
      `The human asks you to put this question (${id}) in other words${how}\n` +
      `Nothing is decided. Call ${ask} again with what was unclear explained: what each choice means, and what follows from it.`
    );
  }
  if (answer) return isUnseen(answer.response) ? 'The human sent an empty answer' : answer.response;
  if (!dismissal) return undefined;
  if (dismissal.via === 'log') {
    return (
      `Nobody answered this question (${id}): ${dismissal.reason ?? 'its task has ended'}. If you still need ` +
      `to know, read the sprint with ${readSprint} first.`
    );
  }
  const why = dismissal.reason === undefined ? '' : ` Reason: ${dismissal.reason}.`;
  const then = hasLapsed
    ? `${BEGUN_ANEW}: ask again where you need to.`
    : 'Do not ask it again: go on with your best judgement, or leave that part out and say so when you complete the task.';
  return `The human dismissed this question (${id}) without an answer.${why} ${then}`;
}

/** Whether the call that waited for it may run, for the agent that made it, or that works on after it. */
function approvalReply(request: RequestState, { ask }: AgentMeans): string | undefined {
  const { id, asked, answer, dismissal, hasLapsed } = request;
  const call = callName(asked.approval);
  if (allowsCall(answer?.verdict) && (answer?.scope ?? 'once') === 'once' && hasLapsed)
    return `The human allowed this call of ${call} (${id}), but its task has ended since: making it again asks again.`;
  if (answer?.verdict === 'approved')
    return `The human allowed this call of ${call} (${id}). Where it has not run yet, make the same call again.`;
  if (answer?.verdict === 'edited') return editReply(request, call);
  if (answer?.verdict === 'questioned') return questionedReply(request, call);
  if (!answer && !dismissal) return undefined;
  if (dismissal?.via === 'log')
    return `Nobody allowed this call of ${call} (${id}): ${dismissal.reason ?? 'its task has ended'}.`;
  const why = answer ? reasonOf(answer.response) : dismissal?.reason;
  const because = why === undefined ? '' : ` Reason: ${why.replace(/[.\s]+$/, '')}.`;
  const then = hasLapsed
    ? `${BEGUN_ANEW}: making the call again asks again.`
    : `Do not make it again as it is, and do not reach the same in another way: do without it, or ask with ${ask}.`;
  return `The human did not allow this call of ${call} (${id}).${because} ${then}`;
}

/** What becomes of a call that a human has changed. */
function editReply(request: RequestState, call: string): string {
  const { id, answer } = request;
  const args = JSON.stringify(answer?.edited?.args);
  if (editedArgs(request) !== undefined)
    return (
      `The human allowed this call of ${call} (${id}) with other arguments: ${args}. Where it has not run yet, make the ` +
      'same call again: it runs with those.'
    );
  return (
    `The human did not allow this call of ${call} (${id}) as it is. Do this instead: make the same call with exactly ` +
    `these arguments, and with no others: ${args}. That is allowed once, and nobody is asked again.`
  );
}

/** Why, in the words of a no. A no alone is no reason. */
export function reasonOf(response: string): string | undefined {
  return /^(?:n|no|deny|denied|reject|rejected)?[\s.!]*$/i.test(response.trimStart())
    ? undefined
    : response.trim();
}

/** What an agent is told that was asked, with the answer. What a program asked it never heard of. */
export function questionText(request: RequestState): string {
  const { kind, question, questions, approval } = request.asked;
  if (questions) return [question, ...questions.map(askedText)].join('\n');
  if (approval) return `May this tool call run: ${question.replace(/^Allow /, '').replace(/\?$/, '')}?`;
  if (kind !== 'prompt') return question;
  if (request.asked.untypable !== true)
    return `An earlier attempt stopped at a prompt of its terminal: "${question}".`;
  return (
    `An earlier attempt stopped at a prompt of its terminal, where no answer could be typed: "${question}". ` +
    'The answer is for you now. Go on without such a prompt, e.g. with a flag that answers it.'
  );
}

/** What was asked and what was said to it, for an agent that is told of it when it starts. */
export function answerText(request: RequestState): string {
  const isTheirs = !isAgentsEnd(request) && !isForAskerAlone(request);
  return `${questionText(request)}\n${isTheirs ? 'What the human said: ' : ''}${attributedReply(request)}`;
}

function askedText({ title, question }: FormQuestion): string {
  return question === undefined ? `- ${title}` : `- ${title}: ${question}`;
}
