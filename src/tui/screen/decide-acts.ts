import { CliffordError } from '../../errors.ts';
import { stripAgentLine } from '../../lib/text/sanitise.ts';
import { checkLegality } from '../../machines/legality.ts';
import { wordOf } from '../../machines/status-words.ts';
import {
  candidateOf,
  possibleActs,
  type SprintAct,
  type TaskAct,
} from '../../views/sprints/possible-acts.ts';
import { runLineOf } from '../../views/sprints/run-line.ts';
import { sendNote } from '../../workflow/notes/send-note.ts';
import { stopRun } from '../../workflow/sprint/stop-run.ts';
import {
  cancelSprint,
  cancelTask,
  pauseSprint,
  resumeSprint,
  retryTasks,
  skipTask,
} from '../../workflow/sprint/control.ts';
import { IllegalDecision } from '../../workflow/project/illegal-decision.ts';
import type { Project } from '../../workflow/project/project.ts';
import { isBeingRun, isQueued } from '../../workflow/queue/worker-of.ts';
import { notRecorded } from '../text/not-recorded.ts';
import type { Recording } from '../terminal/recording.ts';
import type { ScreenActor } from './screen-actor.ts';
import type { Effect } from './screen-effect.ts';
import type { Unrecorded } from './screen-event.ts';
import type { ShowSprintOptions } from './show-sprint-options.ts';

type ActDeps = Pick<ShowSprintOptions, 'endLeftAgents'> & {
  readonly project: Project;
  /** The sprint's stream. */
  readonly stream: string;
  /** The human in front of the screen. */
  readonly by: string;
  /** Ends the screen with an error. */
  readonly fail: (error: unknown) => void;
  /** Called when it is recorded. */
  readonly decided: () => void;
  readonly recording: Recording;
};

type Acting = Extract<Effect, { type: 'act' }>;

/** Records what a human decides about the sprint or a task on the screen, and tells it what became of that. */
export function decideActs(
  actor: ScreenActor,
  { project, stream, by, decided, fail, recording, endLeftAgents = noneLeft }: ActDeps,
): void {
  const tell = (tone: 'ok' | 'warning', text: string) => actor.send({ type: 'told', notice: { tone, text } });
  const hasRunner = () => isBeingRun(project, stream);

  actor.on('act', (acting) => {
    const deciding = async () => {
      const { act, task: taskId } = acting;
      // A runner that is gone cannot be told to stop: what it left is ended.
      const stopped = act === 'stop' ? await endLeftAgents({ taskId }) : undefined;
      const problem = stopped?.count ? undefined : await record(project, { stream, by }, acting);
      decided();
      const left = act === 'skip' || act === 'cancel' ? await endLeftAgents({ taskId }) : stopped;
      const next = nextRun(project, stream, acting, hasRunner);
      const done = doneText(acting, next) + next;
      const more = [...(left?.said ?? []), ...(problem === undefined ? [] : [problem])];
      tell(problem === undefined ? 'ok' : 'warning', [done, ...more].join('; '));
    };
    const told = deciding().catch((error: unknown) => {
      const why = notRecorded(error);
      if (why !== undefined) return actor.send({ type: 'unrecorded', why, ...actedAgain(acting) });
      if (!(error instanceof CliffordError)) return fail(error);
      tell('warning', error.inOneLine);
    });
    recording.add(told);
  });
  actor.on('why-not', ({ act, task }) => {
    const candidate = candidateOf(stream, act, task);
    const verdict = checkLegality(project.state, candidate);
    if (verdict.legal) return tell('warning', 'Only now it can be: press the key again');
    const reader = { isAgent: false, hasRunner: hasRunner(), isQueued: isQueued(project.state, stream) };
    const { message } = new IllegalDecision(candidate, verdict, reader);
    tell('warning', `${message}. ${keysThatHelp(project, stream, task, hasRunner())}`);
  });
}

const noneLeft = () => Promise.resolve({ count: 0, said: [] });

/** Where it is decided again, with the words that were typed for it. */
function actedAgain({ act, task, reason = '' }: Acting): Pick<Unrecorded, 'back' | 'again'> {
  if (act === 'pause' || act === 'resume' || act === 'retry' || act === 'stop')
    return { back: { at: 'sprint' }, again: 'press the key again' };
  const typed = { text: reason, cursor: reason.length };
  return { back: { at: 'act', act, task, reason: typed }, again: 'press Enter again' };
}

/** By the keys that do it. */
const taskWays: Readonly<Record<TaskAct, string>> = {
  retry: 'R does it again',
  note: 'M writes to its agent',
  skip: 'S leaves it out',
  cancel: 'X ends it',
};
const sprintWays: Readonly<Record<SprintAct, string>> = {
  pause: 'P pauses it',
  resume: 'P resumes it',
  cancel: 'C ends it',
};

/**
 * What can be done in place of what could not, in keys of the screen: no shell is at hand there. Where nobody runs it, there is nothing to
 * pause, and nobody to write to but who works by hand.
 */
function keysThatHelp(
  { state }: Project,
  stream: string,
  task: string | undefined,
  hasRunner: boolean,
): string {
  const sprint = state.streams.get(stream);
  if (!sprint) return 'Nothing can be decided about it now';
  const possible = possibleActs(state, sprint);
  const asks = [...sprint.requests.values()].some(
    (request) => request.phase === 'open' && task !== undefined && request.taskId === task,
  );
  const isHeard = hasRunner || (task !== undefined && sprint.tasks.get(task)?.machine.context.byHand);
  const ways =
    task === undefined
      ? possible.sprint.filter((act) => act !== 'pause' || hasRunner).map((act) => sprintWays[act])
      : (possible.tasks.get(task) ?? [])
          .filter((act) => act !== 'note' || isHeard)
          .map((act) => taskWays[act]);
  const all = [...(asks ? ['i answers what it asks'] : []), ...ways];
  return all.length === 0 ? 'Nothing can be decided about it now' : `Possible now: ${all.join(', ')}`;
}

/** @returns what could not be done besides. */
async function record(
  project: Project,
  who: { readonly stream: string; readonly by: string },
  { act, task, reason }: Acting,
): Promise<string | undefined> {
  if (act === 'cancel' && task === undefined) return cancelSprint(project, { ...who, reason });
  if (act === 'skip' && task !== undefined) return skipTask(project, { ...who, taskId: task, reason });
  if (act === 'cancel' && task !== undefined) return cancelTask(project, { ...who, taskId: task, reason });
  if (act === 'pause') await pauseSprint(project, who);
  if (act === 'resume') await resumeSprint(project, who);
  if (act === 'stop') await stopRun(project, who);
  if (act === 'retry') await retryTasks(project, { ...who, taskId: task });
  if (act === 'note' && task !== undefined)
    await sendNote(project, { ...who, taskId: task, text: reason ?? '', via: 'tui' });
  return undefined;
}

const done: Readonly<Record<TaskAct | SprintAct | 'stop', string>> = {
  pause: 'Paused: agents that work go on, no further attempt starts',
  resume: 'Resumed: further attempts start again',
  retry: 'is pending again',
  skip: 'is skipped',
  cancel: 'is cancelled',
  note: 'has a note, which its agent is told as soon as it can be',
  stop: 'Stopping: its agents are ended, and the next run goes on',
};

/** @param next - What has to be done for it to go on. */
function doneText({ act, task }: Acting, next: string): string {
  if (act === 'resume' && next !== '') return 'Resumed';
  if (act === 'cancel' && task === undefined) return 'The sprint is cancelled';
  return task === undefined ? done[act] : `${stripAgentLine(task)} ${done[act]}`;
}

/** What goes on with it where no runner does by itself. */
function nextRun({ state }: Project, stream: string, { act }: Acting, hasRunner: () => boolean): string {
  const sprint = state.streams.get(stream);
  if (
    !sprint ||
    act === 'pause' ||
    act === 'note' ||
    act === 'stop' ||
    wordOf(sprint.machine.value) === 'done' ||
    isQueued(state, stream) ||
    hasRunner()
  )
    return '';
  const isFinished = sprint.tally.ended === sprint.tasks.size;
  // What was left out or ended gives a runner nothing to do but to complete the sprint.
  if ((act === 'skip' || act === 'cancel') && !isFinished) return '';
  return `. To go on: ${runLineOf(sprint)}`;
}
