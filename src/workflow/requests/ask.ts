import { v7 as uuidv7 } from 'uuid';
import type { EventData } from '../../events/catalog.ts';
import type { Candidate } from '../../machines/legality.ts';
import type { ProjectState, RequestState } from '../../machines/project-state.ts';
import { wordOf } from '../../machines/status-words.ts';
import type { Agent } from '../project/agent.ts';
import type { Project } from '../project/project.ts';
import { askOrJoin, originOf } from './ask-or-join.ts';
import { questionWords } from './question-words.ts';

/** What an agent wants to know, and of which task. */
export type Question = Pick<
  EventData<'help.requested'>,
  | 'kind'
  | 'question'
  | 'task'
  | 'reason'
  | 'context'
  | 'options'
  | 'multiple'
  | 'questions'
  | 'deadlineMs'
  | 'untypable'
  | 'awaitsKey'
  | 'secret'
>;

/** An id that no request has. */
export function newRequestId(): string {
  return `q-${uuidv7()}`;
}

/**
 * Asks a human what a program asks at its terminal: a new question each time, that `follows` the last one
 * of the same words.
 *
 * @param requestId - A new one, from {@link newRequestId}.
 * @returns the request to wait for.
 * @throws {IllegalDecision} when the agent's attempt has ended.
 */
export async function askAnew(
  project: Project,
  { stream, agent, requestId, ...question }: Question & { stream: string; agent: Agent; requestId: string },
): Promise<RequestState> {
  const words = wordsOf(project, question);
  return askOrJoin(project, stream, (state) => {
    const earlier = lastAsked(state, stream, words, { isPrompt: true });
    const follows = earlier === undefined ? {} : { follows: earlier.id };
    return { ...question, ...follows, requestId, origin: originOf(agent) };
  });
}

/**
 * Asks a human. Never asks twice: the same question (stream, task, words) that is open, or whose
 * answer this agent has not received, is joined instead. Once the agent has received the answer,
 * the same words are a new question that `follows` the old one, and so they are where the old one was turned down and its
 * task has been reset since. What nobody answered before its task ended is asked anew when the task goes on.
 *
 * The question is about its task if the task is one of the sprint and not done: a pending task is
 * started by it. Otherwise, and when the agent was started for another task, it belongs to the sprint.
 *
 * @param requestId - An id of the asker's own: then the question is known by it, and not by its words.
 * @param before - As for {@link askOrJoin}.
 * @returns the request to wait for; it may be answered already.
 * @throws {IllegalDecision} when the agent's attempt has ended.
 */
export async function ask(
  project: Project,
  { stream, agent, requestId, ...question }: Question & { stream: string; agent: Agent; requestId?: string },
  before?: () => readonly Candidate[],
): Promise<RequestState> {
  const newId = requestId ?? newRequestId();
  const words = wordsOf(project, question);
  const choose = (state: ProjectState) => {
    const known =
      requestId === undefined
        ? lastAsked(state, stream, words, { isPrompt: false })
        : state.streams.get(stream)?.requests.get(requestId);
    const earlier = known && requestId === undefined && isLeftOver(state, known) ? undefined : known;
    if (earlier && (requestId !== undefined || isJoined(earlier, agent))) return earlier;
    const follows = earlier === undefined ? {} : { follows: earlier.id };
    return { ...question, ...follows, requestId: newId, origin: originOf(agent) };
  };
  return askOrJoin(project, stream, choose, before);
}

/** The log keeps no secrets: words that hold one are found again only as it keeps them. */
function wordsOf(project: Project, question: Question) {
  const asLogged = (text: string) => project.asLogged(text);
  return { task: question.task && asLogged(question.task), words: questionWords(question, asLogged) };
}

/** Nobody has said anything about it: it ended with its task or sprint, which goes on by now. */
function isLeftOver(state: ProjectState, { stream, taskId, dismissal }: RequestState): boolean {
  if (dismissal?.via !== 'log') return false;
  const sprint = state.streams.get(stream);
  const task = taskId === undefined ? undefined : sprint?.tasks.get(taskId);
  return [sprint, task].every((each) => each === undefined || wordOf(each.machine.value) !== 'done');
}

/** Whether this agent has not got the end of the request, answer or dismissal, and it still holds. */
function isJoined({ deliveredTo, hasLapsed }: RequestState, agent: Agent): boolean {
  return hasLapsed === undefined && !deliveredTo.includes(agent.id);
}

function lastAsked(
  state: ProjectState,
  stream: string,
  { task, words }: { task: string | undefined; words: string },
  { isPrompt }: { readonly isPrompt: boolean },
): RequestState | undefined {
  const requests = [...(state.streams.get(stream)?.requests.values() ?? [])];
  return requests.findLast(
    ({ asked }) =>
      // What a human says to a program is no answer to an agent that asks them.
      (asked.kind === 'prompt') === isPrompt && asked.task === task && questionWords(asked) === words,
  );
}
