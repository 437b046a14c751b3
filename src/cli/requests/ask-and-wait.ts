import { agentsWordText, isAgentsWord } from '../../events/answerer.ts';
import { labelledAnswers, type LabelledAnswer } from '../../events/form/labelled-answers.ts';
import { endOf } from '../../gateway/wait/wait-for-human.ts';
import type { RequestState } from '../../machines/project-state.ts';
import { withShownAnswer } from '../../views/calls/shown-words.ts';
import type { Agent, AgentContext } from '../../workflow/project/agent.ts';
import type { Project } from '../../workflow/project/project.ts';
import { closedBy } from '../../workflow/requests/outcome-text.ts';
import { recordAttached, recordDelivery, recordDetached } from '../../workflow/requests/deliver.ts';
import { awaitable, findRequest } from '../../workflow/requests/find-request.ts';
import { replyText } from '../../workflow/requests/reply-text.ts';
import type { Cli } from '../cli.ts';
import type { AskOptions } from '../commands/ask.ts';
import { exitCodes } from '../exit-codes.ts';
import { watchLeaving, type Leaving } from '../run/leaving.ts';
import { questionAndRequest, readQuestion } from './read-question.ts';
import { shellAgent } from './shell-agent.ts';
import { tellNotes } from '../task/tell-notes.ts';
import { withProject } from '../project/with-project.ts';
import { enterChosenSprint } from '../../workflow/sprint/choose-sprint.ts';
import { homeStream } from '../../workflow/sprint/home-stream.ts';
import { ownTask } from '../../workflow/task/own-task.ts';
import { ADHOC_STREAM } from '../../events/adhoc-stream.ts';
import { requireTask } from '../../workflow/task/require-task.ts';
import { refuseFinished } from '../../workflow/sprint/refuse-finished.ts';
import { ask, type Question } from '../../workflow/requests/ask.ts';

/** Asks, or joins, and waits until a human has ended the question; prints what the agent is told. */
export async function askAndWait(cli: Cli, options: AskOptions): Promise<void> {
  const { request: named, wait, json = false } = options;
  const limit = wait === undefined ? undefined : { ms: wait * 1_000, since: performance.now() };
  if (named !== undefined && options.argument !== undefined) throw questionAndRequest(named);
  const question = named === undefined ? await readQuestion(cli, options) : undefined;
  const work = async (project: Project) => {
    const leaving = watchLeaving({ limit });
    try {
      const { agent, context } = shellAgent(cli, project);
      const request = question
        ? await putQuestion(project, { question, sprint: options.sprint || undefined, agent, context })
        : awaitable(findRequest(project.state, named ?? ''));
      if (question && request.phase !== 'open' && request.asked.origin.agent !== agent.id)
        tellEarlier(cli, request);
      const ended = await untilEnded(cli, project, { request, agent, leaving });
      if (!ended) return giveUp(cli, request, { leaving, json });
      await tell(cli, project, { request: ended, agent, json });
      const own = ownTask(project.state, agent, context);
      const { runId } = agent;
      if (own) await tellNotes(cli, project, { stream: own.sprint.id, taskId: own.task.id, runId });
    } finally {
      leaving.stop();
    }
  };
  await withProject(cli, work, undefined, { awayUntil: limit && limit.since + limit.ms });
}

/** Says that nobody is asked: what another one was told, who used the same words, is the answer. */
function tellEarlier(cli: Cli, request: RequestState): void {
  const who = request.asked.origin.runId === undefined ? 'another process' : 'another attempt';
  cli.note(`${who} has asked this before: ${closedBy(withShownAnswer(request), Date.now())}`);
}

/** Waits, and keeps the log informed of who does. `undefined` when the wait ended first. */
async function untilEnded(
  cli: Cli,
  project: Project,
  { request, agent, leaving }: { request: RequestState; agent: Agent; leaving: Leaving },
): Promise<RequestState | undefined> {
  const { id } = request;
  if (request.phase !== 'open') return request;
  if (!request.waiting.has(agent.id)) await recordAttached(project, request, agent.id);
  cli.hint(`waiting for the answer to ${id}; to give it: clifford answer ${id} "…"`);
  const ended = endOf(request);
  try {
    return await project.until(ended, { signal: leaving.signal });
  } catch (error) {
    const departure = leaving.departure();
    if (!departure) throw error;
    // The answer may have come in the same instant. A caller that has gone cannot take it.
    const answered = departure.cause === 'caller' ? undefined : ended(await project.refresh());
    if (answered) return answered;
    await recordDetached(project, request, { agentId: agent.id, why: departure.why });
    return undefined;
  }
}

/**
 * The answer on stdout, and nothing else: what takes it as such gets no refusal. Once it has left this process, the
 * log says so.
 */
async function tell(
  cli: Cli,
  project: Project,
  { request, agent, json }: { request: RequestState; agent: Agent; json: boolean },
): Promise<void> {
  // Whoever is told in a shell may have no tools.
  const means = { ask: `${cli.called} ask`, readSprint: `${cli.called} status` };
  const text = json ? JSON.stringify(answerRecord(request)) : (replyText(request, means) ?? '');
  const isAnswered = answerRecord(request).status === 'answered';
  const to = isAnswered || json ? 'stdout' : 'stderr';
  if (await cli.deliver(text, to)) await recordDelivery(project, [request], agent.id);
  const { answer, dismissal, asked } = request;
  const by = answer?.by ?? dismissal?.by;
  if (by !== undefined && isAgentsWord(by)) cli.note(`this is ${agentsWordText(by, asked.origin.runId)}`);
  cli.endWith(isAnswered ? exitCodes.done : exitCodes.failed);
}

function giveUp(
  cli: Cli,
  request: RequestState,
  { leaving, json }: { leaving: Leaving; json: boolean },
): void {
  const { cause, why } = leaving.departure() ?? {};
  if (json) cli.print(JSON.stringify(waitingRecord(request)));
  cli.warn(`clifford: no answer to ${request.id} yet: ${why}`);
  cli.warn(`  The question stays open. Go on waiting with: ${cli.called} ask --request ${request.id}`);
  cli.endWith(cause === 'time' ? exitCodes.blocked : exitCodes.interrupted);
}

/** Puts a question where it belongs: about the task it names, else about the one its agent works on. */
async function putQuestion(
  project: Project,
  {
    sprint,
    agent,
    context: surroundings,
    question,
  }: { sprint: string | undefined; agent: Agent; context: AgentContext; question: Question },
): Promise<RequestState> {
  const stream =
    sprint === undefined
      ? await homeStream(project, agent, surroundings)
      : await enterChosenSprint(project, sprint);
  if (sprint !== undefined) refuseFinished(project.state, stream);
  if (question.task !== undefined && stream !== ADHOC_STREAM)
    requireTask(project.state, { stream, taskId: question.task });
  const own = ownTask(project.state, agent, surroundings);
  const task = question.task ?? (own?.sprint.id === stream ? own.task.id : undefined);
  return ask(project, { ...question, task, stream, agent });
}

/** How a question stands, as `clifford ask --json` says it. */
type AnswerRecord = {
  readonly requestId: string;
  readonly status: 'answered' | 'rejected' | 'rephrase' | 'dismissed' | 'waiting';
  readonly answer?: string | undefined;
  /** Index of the option that was chosen, from 0. */
  readonly option?: number | undefined;
  /** Of several questions: the answer to each. */
  readonly answers?: readonly LabelledAnswer[];
  /** Why it was rejected or dismissed, or what is to be put in other words. */
  readonly reason?: string | undefined;
  /** Who ended it, and through which face. */
  readonly by?: string;
  readonly via?: string;
};

/** The end of a question. */
function answerRecord(request: RequestState): AnswerRecord {
  const { id, asked, answer, dismissal } = request;
  if (answer) {
    const { response, option, answers, rejected, rephrase, by, via } = answer;
    if (rejected || rephrase)
      return { requestId: id, status: rejected ? 'rejected' : 'rephrase', reason: response, by, via };
    const toEach = asked.questions && answers ? { answers: labelledAnswers(asked.questions, answers) } : {};
    return { requestId: id, status: 'answered', answer: response, option, ...toEach, by, via };
  }
  const { by = 'clifford', via = 'log', reason } = dismissal ?? {};
  return { requestId: id, status: 'dismissed', reason, by, via };
}

/** A question that is still open. */
function waitingRecord({ id }: RequestState): AnswerRecord {
  return { requestId: id, status: 'waiting' };
}
