import { randomUUID } from 'node:crypto';
import { isMarked } from '../../lib/processes/inherited-mark.ts';
import { kinshipTo } from '../../lib/processes/kinship.ts';
import { holderOf } from '../../lib/processes/lock-holder.ts';
import { isAlive } from '../../lib/processes/process-identity.ts';
import { hasProcessTable, ownPid, readProcess } from '../../lib/processes/process-table.ts';
import { ancestors, relatedProcesses, startedWith } from '../../lib/processes/related-processes.ts';
import { hasUnseenHolder } from '../../lib/processes/unseen-holder.ts';
import type { AgentRun } from '../../machines/task-state.ts';
import type { Project } from './project.ts';
import { RUN_ID_VARIABLE } from './run-id-variable.ts';
import { heldEditorLocks } from './editor-lock.ts';
import { heldRunnerLocks } from './runner-lock.ts';

/** Variables of a process. */
export type Env = Readonly<Record<string, string | undefined>>;

/** What marks the agents that somebody works with in an editor begin with: they work on no task, so it is no attempt. */
const EDITORS = 'editor-';

/** A mark for the processes of such an agent. */
export function newEditorsMark(): string {
  return `${EDITORS}${randomUUID()}`;
}

/** An agent, or something it started: its attempt or its mark, and how that is known. */
export type CallingAgent = { readonly runId: string; readonly evidence: 'environment' | 'ancestry' | 'mark' };

/** The project in which somebody acts: who is at work in it is known from its locks and its log. */
export type PlaceOfWork = Pick<Project, 'dir'> & Partial<Pick<Project, 'state'>>;

/** The attempt of a process that a runner has started and that the log does not know. */
const UNKNOWN_RUN = 'unknown';

/**
 * Says which agent, of a runner or of an editor, has started this process; `undefined`: none, as far as can be told. It is known by the
 * variable of its attempt, in this environment or, on Linux, in that with which this process or one that it descends
 * from was started. Programs can hide that: so an agent's is, too, what descends from the process that the log has for
 * an attempt, or from a runner at work, or is in the session of the former; and what has the mark of all that a runner
 * starts, which no process gets rid of, however far it goes.
 *
 * @param env - What the process goes by. An embedding program may hand over another one than it has.
 */
export function whoCalls(env: Env, project?: PlaceOfWork): CallingAgent | undefined {
  const named = env[RUN_ID_VARIABLE] || process.env[RUN_ID_VARIABLE];
  if (named) return { runId: named, evidence: 'environment' };
  const related = withRelated(ownPid());
  const runId =
    marksOf(related)[0]?.runId ?? (project && (recordedAgent(project, related) ?? startedHere(project)));
  if (runId) return { runId, evidence: 'ancestry' };
  return isMarked(ownPid()) ? { runId: UNKNOWN_RUN, evidence: 'mark' } : undefined;
}

/**
 * The same of another process, such as the one at the other end of a connection: by what it and those that it descends from
 * were started with, by the log, and by the mark. Linux only.
 */
export function whoseProcess(pid: number, project: PlaceOfWork): CallingAgent | undefined {
  if (!hasProcessTable) return undefined;
  const related = withRelated(pid);
  const runId = marksOf(related)[0]?.runId ?? recordedAgent(project, related);
  if (runId) return { runId, evidence: 'ancestry' };
  return isMarked(pid) ? { runId: UNKNOWN_RUN, evidence: 'mark' } : undefined;
}

/** Whether a runner of the project, or an agent, is at work here, or may be. */
export function isSomebodyAtWork(project: PlaceOfWork): boolean {
  if (heldStarterLocks(project.dir).length > 0) return true;
  return agentsOf(project).some((agent) => !agent.end && isAlive(agent));
}

/** Whether a runner of the project, or an editor's agent, is at work where its processes cannot be seen: outside of this container. */
export function isOutOfSight({ dir }: PlaceOfWork): boolean {
  return hasUnseenHolder(heldStarterLocks(dir));
}

/** The attempt that this process belongs to, as far as can be told: what an editor's agent has started belongs to none. */
export function attemptHere(env: Env, project?: PlaceOfWork): string | undefined {
  const caller = whoCalls(env, project);
  // Whose it is does not follow from the mark, nor that it is an attempt at all.
  if (!caller || caller.evidence === 'mark') return undefined;
  if (!caller.runId.startsWith(EDITORS)) return caller.runId;
  // Whoever marks itself so may be one all the same.
  const related = withRelated(ownPid());
  const marks = marksOf(related).map(({ runId }) => runId);
  const attempt = marks.find((runId) => !runId.startsWith(EDITORS));
  if (attempt !== undefined || !project) return attempt;
  return (
    recordedAgent(project, related) ??
    (above(heldRunnerLocks(project.dir)).length > 0 ? UNKNOWN_RUN : undefined)
  );
}

/**
 * Whether this could be an agent that has left everything behind by which it would be known, while one is at work on
 * the project. See {@link kinshipTo}.
 */
export function isInDoubt(project: PlaceOfWork): boolean {
  if (!hasProcessTable) return false;
  const runners = heldStarterLocks(project.dir).flatMap((lock) => holderOf(lock) ?? []);
  const agents = agentsOf(project).filter((agent) => !agent.end && isAlive(agent));
  // What descends from an agent descends from its runner, too, as long as that is there.
  const orphans = agents.filter(({ pid }) => !runners.includes(readProcess(pid)?.parent ?? 0));
  return [...runners, ...orphans.map(({ pid }) => pid)].some((pid) => kinshipTo(pid) !== 'unrelated');
}

/**
 * A variable that only a person may set: what it is worth. In a process of an agent it counts if all processes of the
 * attempt above it were started with it, so from the runner on, whatever a shell says since; in one that hides its
 * attempt, if the runner was; in one that has left all of them, or cannot be told from an agent, not at all. Where there is no `/proc` that is not
 * known, and it counts.
 *
 * @param dir - The project's `.clifford`.
 */
export function humansVariable(env: Env, name: string, dir: string): string | undefined {
  const value = env[name];
  if (value === undefined) return undefined;
  const marked = marksOf(withRelated(ownPid())).map(({ pid }) => pid);
  const started = marked.length > 0 ? marked : above(heldStarterLocks(dir));
  const isFar = () => isMarked(ownPid()) || isOutOfSight({ dir }) || isInDoubt({ dir });
  if (started.length === 0 && isFar()) return undefined;
  return started.every((pid) => startedWith(pid, name) === value) ? value : undefined;
}

/** A process and those it descends from or works for, the nearest first. */
function withRelated(pid: number): number[] {
  return [pid, ...relatedProcesses(pid)];
}

/** Of these processes those of an attempt, or of an editor's agent. */
function marksOf(pids: readonly number[]): { pid: number; runId: string }[] {
  return pids.flatMap((pid) => {
    const runId = startedWith(pid, RUN_ID_VARIABLE);
    return runId ? [{ pid, runId }] : [];
  });
}

/** The attempts of a project whose agents may be at work, by the log. */
export function liveAttempts(project: PlaceOfWork): string[] {
  return agentsOf(project).flatMap(({ runId, end }) => (end ? [] : [runId]));
}

function agentsOf({ state }: PlaceOfWork): AgentRun[] {
  return (state?.streams.loaded() ?? []).flatMap(({ tasks }) =>
    [...tasks.values()].flatMap(({ agent }) => agent ?? []),
  );
}

/** The attempt whose process is one of these, by the log. */
function recordedAgent(project: PlaceOfWork, related: readonly number[]): string | undefined {
  if (!hasProcessTable) return undefined;
  // The number of a session is no other process's while there is one, also when its first has ended.
  const isSame = (agent: AgentRun) => isAlive(agent) || (!agent.end && !readProcess(agent.pid));
  return agentsOf(project).find((agent) => related.includes(agent.pid) && isSame(agent))?.runId;
}

/** That a runner of the project, or what stands in front of an editor's agent, has started this process in a session of its own. */
function startedHere({ dir }: PlaceOfWork): string | undefined {
  if (above(heldRunnerLocks(dir)).length > 0) return UNKNOWN_RUN;
  return above(heldEditorLocks(dir)).length > 0 ? `${EDITORS}${UNKNOWN_RUN}` : undefined;
}

/** The locks of all that starts agents on a project, and is at work. `dir`: the project's `.clifford`. */
function heldStarterLocks(dir: string): string[] {
  return [...heldRunnerLocks(dir), ...heldEditorLocks(dir)];
}

/** Those who have these locks and have started what this process descends from. */
function above(locks: readonly string[]): number[] {
  if (locks.length === 0) return [];
  const pids = ancestors(ownPid());
  return locks.flatMap((lock) => holderOf(lock, pids) ?? []).filter((pid) => kinshipTo(pid) === 'below');
}
