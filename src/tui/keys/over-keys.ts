import { withArea } from '../screen/browsing.ts';
import type { ScreenState } from '../screen/screen-state.ts';
import { emptyBuffer } from '../text/text-buffer.ts';
import type { Act, Binding, Situation } from './binding.ts';
import { withTask } from './browse.ts';
import { scrolled, scrollKeys } from './list-keys.ts';
import { openHelp } from './open-help.ts';

const hasFailed = ({ sprint }: ScreenState) => sprint.tasks.some(({ detail }) => detail === 'failed');
const isUnfinished = ({ sprint }: ScreenState) => sprint.state !== 'done';
const mayRetry = ({ state }: Situation) => state.mayApprove && hasFailed(state);
const mayGoOn = ({ state }: Situation) => !hasFailed(state) && isUnfinished(state);

const runAgain: Act = (state, { emit }) => {
  emit({ type: 'run-again', retries: hasFailed(state) });
  return state;
};
/** The first task that has failed and can be left out. */
function toSkip({ sprint, mayApprove }: ScreenState): string | undefined {
  const may = (id: string) => mayApprove && sprint.possible.tasks.get(id)?.includes('skip') === true;
  return sprint.tasks.find(({ id, detail }) => detail === 'failed' && may(id))?.id;
}

const skip: Act = (state) => {
  const task = toSkip(state);
  if (task === undefined) return state;
  const focus = { at: 'act', act: 'skip', task, reason: emptyBuffer } as const;
  return { ...withTask(state, task), focus };
};
const report: Act = (state, { emit }) => {
  emit({ type: 'copy-report' });
  return state;
};
const look: Act = (state) => withArea({ ...state, focus: { at: 'sprint' } }, 'tasks');
const scroll =
  (by: number): Act =>
  (state, { room }) =>
    state.focus.at === 'over'
      ? { ...state, focus: { at: 'over', top: scrolled(state.focus.top, by, room.overMax) } }
      : state;
const leave: Act = (state, { emit }) => {
  emit({ type: 'leave' });
  return state;
};

/** Keys while it is shown how a run ended. */
export const overKeys: readonly Binding[] = [
  {
    keys: ['R'],
    action: runAgain,
    hint: ['R', 'retry'],
    help: ['R', 'retry what failed'],
    group: 'Act',
    when: mayRetry,
  },
  { keys: ['R'], action: runAgain, hint: ['R', 'go on'], group: 'Act', when: mayGoOn },
  {
    keys: ['S'],
    action: skip,
    hint: ['S', 'skip…'],
    help: ['S', 'leave out what failed, with a reason'],
    group: 'Act',
    when: ({ state }) => toSkip(state) !== undefined,
  },
  {
    keys: ['enter', 'tab', 'shift+tab'],
    action: look,
    hint: ['Enter', 'tasks'],
    help: ['Enter', 'look into the tasks'],
  },
  {
    keys: ['g'],
    action: report,
    hint: ['g', 'report'],
    help: ['g', 'copy the command that writes a report of this sprint'],
    group: 'Show',
  },
  ...scrollKeys(scroll, { hint: ['↑/↓', 'more'], moves: ({ overMax = 0 }) => overMax > 0 }),
  openHelp,
  { keys: ['q'], action: leave, hint: ['q', 'leave'] },
  { keys: ['ctrl+c'], action: 'force' },
];

const isOver = ({ state }: Situation) => state.summary !== undefined && state.browsing.area === 'tasks';

/** From the tasks back to how the run ended, where Esc does nothing else first. */
export const backToSummary: Binding = {
  keys: ['escape'],
  action: (state) => ({ ...state, focus: { at: 'over', top: 0 } }),
  hint: ['Esc', 'summary'],
  when: isOver,
};
