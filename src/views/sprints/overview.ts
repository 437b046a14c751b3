import { count } from '../../lib/text/count.ts';
import type { ProjectState } from '../../machines/project-state.ts';
import type { KnownSprint } from '../../workflow/sprint/choose-sprint.ts';
import type { FolderOf } from '../calls/folder-of-call.ts';
import { waitingIn, type InboxItem } from '../requests/inbox.ts';
import { countEnded } from './progress.ts';
import { byUrgency } from '../requests/request-order.ts';
import { IDLE } from './standing.ts';
import { statusOf, type Processes, type SprintStatus } from './sprint-status.ts';
import { whoRuns, type WhoRuns } from './who-runs.ts';

/** A sprint in the overview. */
export type SprintRow = {
  readonly sprint: SprintStatus;
  /** Tasks that are done, of how many. */
  readonly done: number;
  readonly total: number;
  readonly failed: number;
  /** Skipped or cancelled. */
  readonly setAside: number;
  /** Those of them that are cancelled. */
  readonly cancelled: number;
  /** Tasks that wait for a human. */
  readonly blocked: number;
  readonly runs: WhoRuns;
  /** What of it waits for a human. */
  readonly waiting: readonly InboxItem[];
};

/** Every sprint of a project, and everything that waits for a human. */
export type Overview = {
  /** Those that need somebody first, those that are over last, and behind them what is outside of sprints. */
  readonly rows: readonly SprintRow[];
  /** The greatest risk first, then what somebody waits for, then the oldest. */
  readonly inbox: readonly InboxItem[];
  /** Manifests that cannot be read, and projects, a reason each. */
  readonly problems: readonly string[];
};

/** What the overview says of one sprint. @param folderOf - Default: nothing is said of where its agents work. */
export function rowOf(
  known: KnownSprint,
  state: ProjectState,
  processes: Processes,
  folderOf?: FolderOf,
): SprintRow {
  const sprint = statusOf(known, state, processes);
  const stream = state.streams.get(known.id);
  const cancelled = countEnded(sprint.tasks, 'cancelled');
  return {
    sprint,
    done: countEnded(sprint.tasks, 'completed'),
    total: sprint.tasks.length,
    failed: countEnded(sprint.tasks, 'failed'),
    setAside: countEnded(sprint.tasks, 'skipped') + cancelled,
    cancelled,
    blocked: sprint.tasks.filter(({ state: is }) => is === 'blocked').length,
    runs: whoRuns(sprint, known),
    waiting: stream ? waitingIn(stream, processes.isAlive, folderOf) : [],
  };
}

/** The overview of sprints, given in the order in which they are known. */
export function overviewOf(rows: readonly SprintRow[], problems: readonly string[]): Overview {
  return {
    rows: rows.toSorted((one, other) => placeOf(one) - placeOf(other) || byEnd(one, other)),
    inbox: rows.flatMap(({ waiting }) => waiting).toSorted(byUrgency),
    problems,
  };
}

/** The rows that are sprints: what is asked outside of any has a row, and is none. */
export function sprintsIn(rows: readonly SprintRow[]): SprintRow[] {
  return rows.filter(({ runs }) => runs.is !== 'outside');
}

/** How many sprints stand how: `3 sprints: 1 active · 1 queued · 1 done`. */
export function countsText(rows: readonly SprintRow[]): string {
  const sprints = sprintsIn(rows);
  const byWord = Map.groupBy(sprints, wordAmong);
  const parts = [...byWord].map(([word, { length }]) => `${length} ${word}`);
  return [count(sprints.length, 'sprint'), ...(parts.length === 0 ? [] : [parts.join(' · ')])].join(': ');
}

/** One that a worker will run is none of those that nobody has begun, or goes on with. */
function wordAmong({ sprint: { word }, runs }: SprintRow): string {
  return runs.is === 'queued' && (word === 'pending' || word === IDLE) ? 'queued' : word;
}

/** Whatever happens in a sprint that is under way, it stays where it is as long as its state does. */
function placeOf({ waiting, sprint: { state, detail }, runs }: SprintRow): number {
  if (runs.is === 'outside') return 5;
  if (waiting.length > 0) return 0;
  if (state === 'active' || state === 'blocked') return 1;
  if (detail === 'failed') return 2;
  return runs.is === 'over' ? 4 : 3;
}

/** Of those that are over the last one first. */
function byEnd(one: SprintRow, other: SprintRow): number {
  if (one.runs.is !== 'over') return 0;
  const [at = '', otherAt = ''] = [one.sprint.lastEventAt, other.sprint.lastEventAt];
  return at < otherAt ? 1 : at > otherAt ? -1 : 0;
}
