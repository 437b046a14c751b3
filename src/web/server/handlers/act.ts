import { sendNote } from '../../../workflow/notes/send-note.ts';
import {
  cancelSprint,
  cancelTask,
  pauseSprint,
  resumeSprint,
  retryTasks,
  skipTask,
} from '../../../workflow/sprint/control.ts';
import { enterSprint } from '../../../workflow/sprint/enter-sprint.ts';
import { isQueued } from '../../../workflow/queue/worker-of.ts';
import { stopRun } from '../../../workflow/sprint/stop-run.ts';
import { wordOf } from '../../../machines/status-words.ts';
import { runLineOf } from '../../../views/sprints/run-line.ts';
import type { Done } from '../../api/decision.ts';
import type { Caller } from '../callers/caller.ts';
import { deciderOf } from '../callers/decider.ts';
import { knownSprint } from '../known-sprint.ts';
import type { Serving } from '../serving.ts';
import type { Handlers } from './handlers.ts';

type Act = 'pause' | 'resume' | 'stop' | 'retry' | 'skip' | 'cancel' | 'note';

/** What only a human may do, as an infinitive; the rest only takes away. */
const humansActs: Readonly<Record<Exclude<Act, 'pause'>, string>> = {
  resume: 'resume a sprint',
  stop: 'stop a run',
  retry: 'retry tasks',
  skip: 'skip a task',
  cancel: 'cancel a task or a sprint',
  note: 'send a note to an agent',
};

/** What a human does to sprints and their tasks. */
export function actHandlers(serving: Serving): Pick<Handlers, Act> {
  const { project } = serving;

  const act = async (
    name: Act,
    { id }: { readonly id: string },
    caller: Caller,
    work: (who: { readonly stream: string; readonly by: string }) => Promise<string>,
  ): Promise<Done> => {
    const { folder } = await knownSprint(serving, id);
    const { answerer, requireHuman } = deciderOf(caller, serving);
    if (name !== 'pause') requireHuman(humansActs[name]);
    if (folder) await enterSprint(project, folder);
    const text = await work({ stream: id, by: answerer.by });
    return { text: text + nextRun(serving, id, name) };
  };

  return {
    pause: ({ params }, caller) =>
      act('pause', params, caller, async (who) => {
        await pauseSprint(project, who);
        return 'Paused: agents that work go on, no further attempt starts';
      }),
    resume: ({ params }, caller) =>
      act('resume', params, caller, async (who) => {
        await resumeSprint(project, who);
        return 'Resumed';
      }),
    stop: ({ params }, caller) =>
      act('stop', params, caller, async (who) => {
        await stopRun(project, who);
        return 'Stopping: its agents are ended, and the next run goes on';
      }),
    retry: ({ params, body: { task: taskId, reason } }, caller) =>
      act('retry', params, caller, async (who) => {
        await retryTasks(project, { ...who, taskId, reason });
        return taskId === undefined ? 'All that failed is pending again' : `${taskId} is pending again`;
      }),
    skip: ({ params, body: { task: taskId, reason } }, caller) =>
      act('skip', params, caller, async (who) => {
        const left = await skipTask(project, { ...who, taskId, reason });
        return withLeft(`${taskId} is skipped`, left);
      }),
    cancel: ({ params, body: { task: taskId, reason } }, caller) =>
      act('cancel', params, caller, async (who) => {
        const left = await (taskId === undefined
          ? cancelSprint(project, { ...who, reason })
          : cancelTask(project, { ...who, taskId, reason }));
        return withLeft(`${taskId ?? 'The sprint'} is cancelled`, left);
      }),
    note: ({ params, body: { task: taskId, text } }, caller) =>
      act('note', params, caller, async (who) => {
        await sendNote(project, { ...who, taskId, text, via: 'web' });
        return `${taskId} has a note, which its agent is told as soon as it can be`;
      }),
  };
}

/** What was done, and what could not be done besides. */
function withLeft(done: string, left: string | undefined): string {
  return left === undefined ? done : `${done}; ${left}`;
}

/** What goes on with a sprint where no runner does by itself. */
function nextRun({ project: { state }, processes, called }: Serving, id: string, act: Act): string {
  const sprint = state.streams.get(id);
  const isStarting = act === 'resume' || act === 'retry';
  if (
    !sprint ||
    !isStarting ||
    isQueued(state, id) ||
    wordOf(sprint.machine.value) === 'done' ||
    processes.hasRunner(id)
  )
    return '';
  // The screen of the last one may still stand at its end.
  const orThere =
    sprint.runner === undefined ? '' : ', or R on the screen of its last run, if that is still open';
  return `. To go on: ${runLineOf(sprint, called)}${orThere}`;
}
