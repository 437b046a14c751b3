import { descriptorOf } from '../../events/catalog.ts';
import { taskOf, type StoredEvent } from '../../events/envelope.ts';
import type { SprintState } from '../../machines/project-state.ts';
import { isHumansWord } from '../../machines/humans-word.ts';
import type { Usage } from '../../machines/usage.ts';
import type { Uncommitted } from '../../workflow/commit/uncommitted-changes.ts';
import { FailedCalls } from '../calls/failed-calls.ts';
import { decisionsOf, type Decision } from '../events/decisions.ts';
import { describeSprint, type TaskView } from './describe-sprint.ts';
import { waitedMsOf, workedMsOf } from './task-times.ts';

/** What a task took. Times are in ms. */
export type TaskSummary = Pick<
  TaskView,
  | 'id'
  | 'state'
  | 'detail'
  | 'byHandSince'
  | 'attempt'
  | 'lastFailure'
  | 'setAside'
  | 'waitedMs'
  | 'workedMs'
  | 'usage'
  | 'unheard'
>;

/** A commit that was made of a task. */
export type MadeCommit = {
  readonly sha: string;
  readonly task?: string;
  /** The first line of its message. Absent: the log does not have it. */
  readonly title?: string;
  readonly files: number;
};

/** What a sprint took, and how it stands: the same for every face. Times are in ms. */
export type SprintSummary = {
  /** From the beginning of its first run to its last event, or its end; what was decided before is no part of it. */
  readonly tookMs: number;
  /** Agents were at it, and waited for nobody: that of all tasks together. */
  readonly workedMs: number;
  /** Tasks waited for a human. */
  readonly waitedMs: number;
  readonly attempts: number;
  readonly questions: number;
  readonly approvals: number;
  /** Of these, how many a human refused. */
  readonly refused: number;
  /** Calls that were refused without a human's word: a rule says so, or nobody has decided in time. */
  readonly refusedByPolicy: number;
  /** Questions that ended without anybody's word, as their task went on without it, or was over. */
  readonly unanswered: number;
  /** What was decided, and by whom. */
  readonly decisions: readonly Decision[];
  readonly commits: number;
  /** The oldest first. */
  readonly commitsMade: readonly MadeCommit[];
  /** Files that the commits of its tasks changed, each once. */
  readonly files: number;
  /** What stands in the working tree in no commit, where none was made. Absent: nobody has looked, or can tell. */
  readonly uncommitted?: Uncommitted;
  readonly usage: Usage;
  readonly tasks: readonly TaskSummary[];
};

/** Measures from the events of a sprint what its state does not know. Takes them in their order. */
export class WorkMeter {
  /** Those of tasks whose worktrees are merged. */
  readonly #merged = new Set<MadeCommit>();
  /** Of the calls that humans allowed. */
  readonly failed = new FailedCalls();
  #commits: (MadeCommit & { readonly paths: readonly string[] })[] = [];
  #lastAt: number | undefined;
  #tookMs = 0;
  #refusedByPolicy = 0;
  #isRun = false;
  #isOver = false;

  take(events: readonly StoredEvent[]): void {
    for (const event of events) this.#take(event);
  }

  /** From event to event: a clock that was set back between two of them counts for nothing. */
  get tookMs(): number {
    return this.#tookMs;
  }

  get refusedByPolicy(): number {
    return this.#refusedByPolicy;
  }

  get commits(): Pick<SprintSummary, 'commits' | 'commitsMade' | 'files'> {
    const files = new Set(this.#commits.flatMap(({ paths }) => paths));
    const commitsMade = this.#commits.map(({ paths: _names, ...commit }) => commit);
    return { commits: commitsMade.length, commitsMade, files: files.size };
  }

  #take(event: StoredEvent): void {
    // A note, or a task that was skipped, may be days older than the first run.
    const isFirstRun = event.type === 'sprint.started' && !this.#isRun;
    this.#isRun ||= isFirstRun;
    this.#takeTime(event, isFirstRun);
    // Whoever ended the request that it waited for is named.
    if (event.type === 'tool.denied' && event.data.by === undefined) this.#refusedByPolicy += 1;
    this.#takeCommits(event);
    this.failed.take(event);
  }

  #takeTime({ type, time }: StoredEvent, isFirstRun: boolean): void {
    const { reaches } = descriptorOf(type);
    // What is noted of its end is no part of what it took; that somebody was told may be recorded long after it was.
    if (reaches === undefined && (this.#isOver || type.startsWith('notify.'))) return;
    if (reaches?.sprint === 'moves') this.#isOver = /^sprint\.(?:completed|failed|cancelled)$/.test(type);
    const at = Date.parse(time);
    this.#tookMs = isFirstRun ? 0 : this.#tookMs + Math.max(0, at - (this.#lastAt ?? at));
    this.#lastAt = at;
  }

  #takeCommits({ type, subject, data }: StoredEvent): void {
    const task = taskOf(subject);
    if (type === 'task.committed') {
      const { sha, files: paths, title } = data;
      const named = { ...(task !== undefined && { task }), ...(title !== undefined && { title }) };
      this.#commits.push({ sha, ...named, files: paths.length, paths });
    } else if (type === 'worktree.merged') {
      for (const commit of this.#commits) if (commit.task === task) this.#merged.add(commit);
    } else if (type === 'worktree.dropped' || (type === 'worktree.settled' && data.how === 'drop')) {
      // What is given up is on no branch that somebody gets.
      this.#commits = this.#commits.filter((commit) => commit.task !== task || this.#merged.has(commit));
    }
  }
}

/**
 * Sums a sprint up by all of its events.
 *
 * @param options.lookAtFiles - Looks what there is in the working tree: it is asked where no commit was made.
 */
export async function summariseAll(
  sprint: SprintState,
  {
    read,
    lookAtFiles,
  }: {
    readonly read: AsyncIterable<{ readonly events: readonly StoredEvent[] }>;
    readonly lookAtFiles: () => Promise<Uncommitted | undefined>;
  },
): Promise<SprintSummary> {
  const meter = new WorkMeter();
  for await (const { events } of read) meter.take(events);
  return summarise(sprint, meter, meter.commits.commits > 0 ? undefined : await lookAtFiles());
}

/** Sums a sprint up. `uncommitted`: what there is in the working tree, where somebody has looked. */
export function summarise(sprint: SprintState, meter: WorkMeter, uncommitted?: Uncommitted): SprintSummary {
  const { tasks, usage } = describeSprint(sprint);
  const requests = [...sprint.requests.values()];
  const kinds = requests.map(({ asked }) => asked.approval !== undefined);
  const last = Date.parse(sprint.lastEventAt ?? '');
  const summaries = tasks.map((task): TaskSummary => ({
    ...task,
    workedMs: workedMsOf(task, last),
    waitedMs: waitedMsOf(task, last),
  }));
  const sum = (of: (task: TaskSummary) => number) => summaries.reduce((all, task) => all + of(task), 0);
  return {
    tookMs: meter.tookMs,
    workedMs: sum(({ workedMs }) => workedMs),
    waitedMs: sum(({ waitedMs }) => waitedMs),
    attempts: sum(({ attempt }) => attempt),
    questions: kinds.filter((isCall) => !isCall).length,
    approvals: kinds.filter(Boolean).length,
    refused: requests.filter(({ answer }) => answer?.verdict === 'denied').length,
    refusedByPolicy: meter.refusedByPolicy,
    unanswered: requests.filter(
      (each) => !each.asked.approval && each.phase !== 'open' && !isHumansWord(each),
    ).length,
    decisions: decisionsOf(sprint, meter.failed),
    ...meter.commits,
    ...(uncommitted && { uncommitted }),
    usage,
    tasks: summaries,
  };
}
