import { wrap } from '../../lib/text/cells.ts';
import { count } from '../../lib/text/count.ts';
import { stripAgentLine } from '../../lib/text/sanitise.ts';
import type { ScreenState } from '../screen/screen-state.ts';
import { agentsAtWork } from '../feed/sprint-now.ts';
import type { EndingAct } from '../screen/focus.ts';

const titles = {
  skip: 'Skip',
  cancel: 'Cancel',
  note: 'Note to the agent of',
  stop: 'Stop',
  start: 'Run',
} as const;

/** What is being decided, as a title: `Skip docs`. */
export function actTitle({ act, task }: Pick<EndingAct, 'act' | 'task'>): string {
  return `${titles[act]} ${task === undefined ? whatOfSprint(act) : stripAgentLine(task)}`;
}

function whatOfSprint(act: EndingAct['act']): string {
  if (act === 'stop') return 'the run';
  return act === 'start' ? 'the sprint here' : 'the whole sprint';
}

/** What becomes of it, in lines of this width. */
export function actLines(acting: EndingAct, state: ScreenState, width: number): string[] {
  const { act, task } = acting;
  const texts = task === undefined ? ofSprint(acting, state) : ofTask({ act, task }, state);
  return texts.flatMap((text) => wrap(text, width));
}

function ofSprint({ act, starts = ['Its agents start at once.'] }: EndingAct, state: ScreenState): string[] {
  if (act === 'start') return starts.map(stripAgentLine);
  const { open } = state.sprint;
  const agents = agentsAtWork(state);
  const ended = agents === 0 ? [] : [`${count(agents, 'agent')} ${agents === 1 ? 'is' : 'are'} stopped.`];
  if (act === 'stop') return [...ended, 'Questions stay open, and the next run goes on.'];
  return [
    'It ends for good, with all of its tasks that are not done.',
    ...ended,
    ...(open.length > 0 ? ['What is asked is dismissed.'] : []),
  ];
}

function ofTask(
  { act, task }: { readonly act: EndingAct['act']; readonly task: string },
  { sprint, processes: { gone } }: ScreenState,
): string[] {
  if (act === 'note')
    return ['It is told as soon as it can be: guidance, that answers no question and allows no call.'];
  const view = sprint.tasks.find(({ id }) => id === task);
  const needing = sprint.tasks.filter(
    ({ dependsOn, state }) => state === 'pending' && dependsOn.includes(task),
  );
  const names = needing.map(({ id }) => stripAgentLine(id)).join(', ');
  const asks = sprint.open.some((question) => question.task === task);
  return [
    act === 'skip' ? 'It counts as done without being done.' : 'It ends for good, without being done.',
    ...(view?.agent === undefined || gone.has(task) ? [] : ['Its agent is stopped.']),
    ...(asks ? ['What it asks is dismissed.'] : []),
    ...(names === '' ? [] : [`${names} ${act === 'skip' ? 'may start then' : 'will never start'}.`]),
  ];
}
