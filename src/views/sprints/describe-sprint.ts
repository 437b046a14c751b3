import type { Verdict } from '../../events/verdict.ts';
import { commandName } from '../../lib/text/command-name.ts';
import type { RunnerLeft, SprintState, UsageLimit } from '../../machines/project-state.ts';
import type { AgentRun, CommitOutcome, SetAside, TaskState } from '../../machines/task-state.ts';
import { mergeOf } from '../../machines/fold-worktree.ts';
import { meetsDependency } from '../../machines/ready-tasks.ts';
import { parkedSince } from '../../machines/parked.ts';
import type { Usage } from '../../machines/usage.ts';
import { limitedUntil, limitEnd } from '../../machines/usage-limit.ts';
import { detailOf, wordOf, type StatusWord } from '../../machines/status-words.ts';
import { describeRequest, type RequestView } from '../requests/describe-request.ts';
import { gaveUpText } from './gave-up-text.ts';
import { runOptions } from './run-line.ts';
import { withTurns } from './waits-turn.ts';
import { modelIn } from './model-name.ts';
import { byUrgency } from '../requests/request-order.ts';

/** A task as a screen shows it. Plain data, made anew at each look. */
export type TaskView = {
  id: string;
  file: string;
  /** Ids of the tasks that have to be done before it. */
  dependsOn: readonly string[];
  /** Those of them that keep it from being started: they are neither completed nor skipped. None once it was started. */
  waitsFor: readonly string[];
  /** Those that keep it from being started although none of them has to be done before it; absent: none does. See waits-turn.ts. */
  behind?: readonly string[];
  state: StatusWord;
  detail: string | undefined;
  attempt: number;
  failures: number;
  maxAttempts: number;
  lastFailure: string | undefined;
  /** Of one that failed with attempts left, why there is no other, in words; absent: it has none left. */
  gaveUp?: string;
  /** Who skipped or cancelled it by itself, and why. */
  setAside: SetAside | undefined;
  /** An agent that no runner started works on it since then, RFC 3339. */
  byHandSince: string | undefined;
  /** Time spent waiting for a human, in ms, without the wait that is going on since `blockedSince`. */
  waitedMs: number;
  blockedSince: string | undefined;
  /** Time that its agents worked and waited for no human, in ms, without what is going on since `workingSince`. */
  workedMs: number;
  workingSince: string | undefined;
  /** Its agent is parked since then, RFC 3339: nothing of it runs, and the answer starts it again. */
  parkedSince: string | undefined;
  /** No agent works on it, since a usage limit is reached: until then, RFC 3339. It may be over. */
  limitedUntil: string | undefined;
  /** What its agents used, all attempts together, as far as they say. */
  usage: Usage;
  /** What works on it now, as far as the log says it. */
  agent: AgentView | undefined;
  /** What was started on it last, whether it still is at work or not. */
  ran: RanView | undefined;
  /** Commands of `verify` that failed before the work began, and were not run since. */
  brokenBefore: string[];
  /** Commands of `verify` that failed when they were run last after the work, and whose fault that is. */
  failing: { command: string; verdict: Verdict | undefined }[];
  /** What became of its commit. */
  commit: { sha: string } | { reason: string } | undefined;
  /** What of its work git keeps that was in no commit; absent: nothing. */
  kept?: readonly { readonly ref: string; readonly why: string }[];
  /** How often its agents did something without asking. */
  unasked: number;
  /** Which of them did, by the names that rules have for them. */
  unaskedBy: readonly string[];
  /** How many notes of a human no agent has heard; absent: none. */
  unheard?: number;
  /** The worker that is at it, on whichever machine; absent: none is. */
  worker?: string;
  /** Labels of the worker that it waits for; absent: it waits for none. */
  needs?: string[];
};

/** An agent process as a screen shows it. Times are RFC 3339. */
export type AgentView = {
  runId: string;
  pid: number;
  /** As rules and requests name it. */
  name: string;
  /** It is one of those that connect to Clifford as soon as they are up. */
  isKnown: boolean;
  startedAt: string;
  /** When its MCP client introduced itself. */
  connectedAt: string | undefined;
};

/** The last agent process of a task. Times are RFC 3339. */
export type RanView = {
  /** As rules and requests name it. */
  name: string;
  /** As far as its command line names one. */
  model: string | undefined;
  startedAt: string;
  /** `undefined`: the log does not say that it has ended. */
  endedAt: string | undefined;
};

/** A sprint as a screen shows it. */
export type SprintView = {
  id: string;
  name: string;
  state: StatusWord;
  detail: string | undefined;
  tasks: TaskView[];
  /** Requests that wait for a human: the greatest risk first, then what waits longest. */
  open: RequestView[];
  /** Why the last runner left it, if it said so. */
  left: RunnerLeft | undefined;
  /** It waits in the queue for a worker since then, RFC 3339; absent: it does not. */
  queuedAt?: string;
  version: number;
  lastEventAt: string | undefined;
  lastFailure: string | undefined;
  /** Who cancelled it, and why. */
  setAside: SetAside | undefined;
  toolCalls: number;
  /** What the agents of all its tasks used. */
  usage: Usage;
  /** The options with which it was run last, e.g. `--agent`, `codex`; absent: its files say everything. */
  runOptions?: readonly string[];
};

/** An agent that may not be started, and until when, RFC 3339. */
export type LimitView = { agent: string; until: string };

/** The plain view of usage limits that last, `now` in ms since the epoch. */
export function describeLimits(limits: readonly UsageLimit[], now: number): LimitView[] {
  return limits
    .filter((limit) => limitEnd(limit) > now)
    .map((limit) => ({ agent: limit.agent, until: new Date(limitEnd(limit)).toISOString() }));
}

/** The plain view of a sprint, given the usage limits of its project. */
export function describeSprint(sprint: SprintState, limits: readonly UsageLimit[] = []): SprintView {
  const { id, name, machine, version, lastEventAt, lastFailure, setAside, toolCalls, usage } = sprint;
  const { queuedAt } = sprint;
  const options = runOptions(sprint);
  return {
    id,
    name,
    state: wordOf(machine.value),
    detail: detailOf(machine.value),
    tasks: withTurns(
      sprint,
      withWaits(
        [...sprint.tasks.values()].map((task) => ({
          ...describeTask(task, limits),
          ...aboutWorker(sprint, task),
        })),
      ),
    ),
    open: [...sprint.requests.values()]
      .filter(({ phase }) => phase === 'open')
      .map(describeRequest)
      .sort(byUrgency),
    left: sprint.runner?.left,
    ...(queuedAt !== undefined && { queuedAt }),
    version,
    lastEventAt,
    lastFailure,
    setAside,
    toolCalls,
    usage,
    ...(options.length > 0 && { runOptions: options }),
  };
}

/** Tasks with what each waits for among the others. */
export function withWaits<T extends TaskView>(tasks: readonly T[]): T[] {
  const met = new Set(tasks.filter(({ detail }) => meetsDependency(detail)).map(({ id }) => id));
  return tasks.map((task) =>
    task.state === 'pending' ? { ...task, waitsFor: task.dependsOn.filter((id) => !met.has(id)) } : task,
  );
}

/** The plain view of a task, given the usage limits of its project, and apart from the other tasks. */
export function describeTask(task: TaskState, limits: readonly UsageLimit[] = []): TaskView {
  const { attempt, failures, maxAttempts, runId } = task.machine.context;
  const { agent } = task;
  return {
    id: task.id,
    file: task.file,
    dependsOn: task.dependsOn,
    waitsFor: [],
    ...standingOf(task),
    attempt,
    failures,
    maxAttempts,
    lastFailure: task.lastFailure,
    ...aboutGivingUp(task),
    setAside: task.setAside,
    byHandSince: task.machine.context.byHand ? task.byHandSince : undefined,
    waitedMs: task.waitedMs,
    blockedSince: task.blockedSince,
    workedMs: task.workedMs,
    workingSince: task.workingSince,
    parkedSince: parkedSince(task),
    limitedUntil: waitsUntil(task, limits),
    usage: task.usage,
    brokenBefore: task.baseline
      .filter(({ command, code }) => code !== 0 && !task.checks.some((check) => check.command === command))
      .map(({ command }) => command),
    failing: task.checks
      .filter(({ code }) => code !== 0)
      .map(({ command, verdict }) => ({ command, verdict })),
    commit: task.commit && describeCommit(task.commit),
    unasked: task.unasked ?? 0,
    unaskedBy: task.unaskedBy ?? [],
    ...aboutNotes(task),
    ...(task.kept ? { kept: task.kept.map(({ ref, why }) => ({ ref, why })) } : {}),
    agent: agent && agent.runId === runId ? describeAgent(agent) : undefined,
    ran: agent && describeRan(agent),
  };
}

function aboutGivingUp({ machine, gaveUp }: TaskState): Pick<TaskView, 'gaveUp'> {
  return gaveUp && detailOf(machine.value) === 'failed' ? { gaveUp: gaveUpText(gaveUp) } : {};
}

/** The worker that has the task, or, while an agent is at it, the sprint. */
function aboutWorker(
  { job }: SprintState,
  { offer, machine }: TaskState,
): Pick<TaskView, 'worker' | 'needs'> {
  if (offer?.phase === 'open' && offer.needs.length > 0) return { needs: [...offer.needs] };
  if (offer?.phase === 'taken' && offer.worker !== undefined) return { worker: offer.worker };
  return job === undefined || machine.context.runId === null ? {} : { worker: job.worker };
}

/** A completed task whose changes nobody else has yet is not done for who looks at it. */
function standingOf(task: TaskState): Pick<TaskView, 'state' | 'detail'> {
  const merge = mergeOf(task);
  if (merge === 'due') return { state: 'active', detail: 'merging' };
  if (merge === 'stuck') return { state: 'blocked', detail: 'conflict' };
  return { state: wordOf(task.machine.value), detail: detailOf(task.machine.value) };
}

function describeAgent(run: AgentRun): AgentView {
  const { runId, pid, adapter, startedAt, connectedAt } = run;
  return { runId, pid, name: agentName(run), isKnown: adapter !== 'command', startedAt, connectedAt };
}

function describeRan(run: AgentRun): RanView {
  const { startedAt, endedAt } = run;
  return { name: agentName(run), model: modelIn(run), startedAt, endedAt };
}

function agentName({ agent, argv }: AgentRun): string {
  return agent ?? commandName(argv);
}

/**
 * Until the first of its agents may be started again, when the last one may not: one that stands in for another
 * is refused more, too.
 */
function waitsUntil(
  { machine, agent, sessions }: TaskState,
  limits: readonly UsageLimit[],
): string | undefined {
  const isIdle = wordOf(machine.value) === 'active' && machine.context.runId === null;
  if (!isIdle || machine.context.byHand || limitedUntil(limits, agent?.agent) === 0) return undefined;
  const names = [agent, ...sessions].map((each) => each?.agent);
  const ends = names.map((name) => limitedUntil(limits, name)).filter((end) => end > 0);
  return new Date(Math.min(...ends)).toISOString();
}

function describeCommit(outcome: CommitOutcome): TaskView['commit'] {
  return 'sha' in outcome ? { sha: outcome.sha } : { reason: outcome.reason };
}

function aboutNotes({ notes }: TaskState): Pick<TaskView, 'unheard'> {
  const unheard = notes.filter(({ delivered }) => delivered === undefined).length;
  return unheard === 0 ? {} : { unheard };
}
