import type { SprintAct, TaskAct } from '../../views/possible-acts.ts';
import { shownTask } from '../screen/browsing.ts';
import type { ScreenState } from '../screen/screen-state.ts';
import { currentDraft, withDraft } from '../screen/drafts.ts';
import { isActing, type EndingAct } from '../screen/focus.ts';
import { emptyBuffer, insert, wholeText } from '../text/text-buffer.ts';
import type { Act, Binding, KeyContext, Situation } from './binding.ts';

const isPossible =
  (act: TaskAct) =>
  ({ state }: Situation) => {
    const task = shownTask(state);
    return isOnTasks({ state }) && task !== undefined && mayAct(state, act, task);
  };
/** Where the task that a key would be about can be seen. */
const isOnTasks = ({ state }: Pick<Situation, 'state'>) => state.browsing.area !== 'question';

function mayAct({ sprint, mayApprove }: ScreenState, act: TaskAct, task: string): boolean {
  return mayApprove && sprint.possible.tasks.get(task)?.includes(act) === true;
}

const isPaused = ({ sprint }: ScreenState) => sprint.possible.sprint.includes('resume');
const mayPause = ({ state }: Situation) => state.sprint.possible.sprint.includes('pause');
const mayResume = ({ state }: Situation) => state.mayApprove && isPaused(state);

const pauseOrResume: Act = (state, { emit }) => {
  const act: SprintAct = isPaused(state) ? 'resume' : 'pause';
  if (act === 'resume' && !state.mayApprove) return refuseAgent(state);
  emit({ type: state.sprint.possible.sprint.includes(act) ? 'act' : 'why-not', act });
  return state;
};

const retry: Act = (state, { emit }) => {
  const task = shownTask(state);
  if (task === undefined) return state;
  if (!state.mayApprove) return refuseAgent(state);
  emit({ type: mayAct(state, 'retry', task) ? 'act' : 'why-not', act: 'retry', task });
  return state;
};

/** Asks for the reason. What cannot be is said at once, by the machines: nothing is decided before it was confirmed. */
const askToEnd =
  (act: EndingAct['act']): Act =>
  (state, { emit }) => {
    const task = shownTask(state);
    if (task === undefined) return state;
    if (!state.mayApprove) return refuseAgent(state);
    if (mayAct(state, act, task)) return { ...state, focus: { at: 'act', act, task, reason: emptyBuffer } };
    emit({ type: 'why-not', act, task });
    return state;
  };

function refuseAgent(state: ScreenState): ScreenState {
  return {
    ...state,
    notice: { tone: 'warning', text: 'A human decides this: this is the shell of an agent' },
  };
}

/** Keys that decide about the sprint and the task that is picked: capitals, so that none that moves is near. */
export const actKeys: readonly Binding[] = [
  { keys: ['R'], action: retry, hint: ['R', 'retry'], when: isPossible('retry') },
  { keys: ['P'], action: pauseOrResume, hint: ['P', 'pause'], when: mayPause },
  { keys: ['P'], action: pauseOrResume, hint: ['P', 'resume'], when: mayResume },
  {
    keys: ['S'],
    action: askToEnd('skip'),
    hint: ['S', 'skip…'],
    help: ['S', 'leave the task out, with a reason'],
    when: isPossible('skip'),
  },
  {
    keys: ['X'],
    action: askToEnd('cancel'),
    hint: ['X', 'cancel…'],
    help: ['X', 'end the task for good, with a reason'],
    when: isPossible('cancel'),
  },
  // The same where they cannot be used: they say why.
  { keys: ['R'], action: retry, when: isOnTasks },
  { keys: ['P'], action: pauseOrResume },
  { keys: ['S'], action: askToEnd('skip'), when: isOnTasks },
  { keys: ['X'], action: askToEnd('cancel'), when: isOnTasks },
];

const leave: Act = (state) => ({ ...state, focus: { at: 'sprint' } });

const reword: Act = (state) => {
  if (!isActing(state.focus)) return state;
  const { act, task, reason } = state.focus;
  return { ...state, focus: { at: 'act', act, task, reason } };
};

const askIfSure: Act = (state) => {
  if (!isActing(state.focus)) return state;
  const { act, task, reason } = state.focus;
  return { ...state, focus: { at: 'act-sure', isArmed: false, act, task, reason } };
};

const newline: Act = (state) => withDraft(state, insert(currentDraft(state), '\n'));

/** Keys while the reason is typed. */
export const reasonKeys: readonly Binding[] = [
  { keys: ['enter'], action: askIfSure, hint: ['Enter', 'go on'] },
  { keys: ['escape'], action: leave, hint: ['Esc', 'back'] },
  { keys: ['ctrl+c'], action: 'force' },
  { keys: ['alt+enter', 'ctrl+j'], action: newline, hint: ['Alt+Enter', 'line'] },
];

const isArmed = ({ state: { focus } }: Situation) => focus.at === 'act-sure' && focus.isArmed;
const ends =
  (act: EndingAct['act']) =>
  (now: Situation): boolean =>
    isArmed(now) && isActing(now.state.focus) && now.state.focus.act === act;

function endTask(state: ScreenState, { emit }: KeyContext): ScreenState {
  if (!isActing(state.focus)) return state;
  const { act, task, reason } = state.focus;
  const why = wholeText(reason).trim();
  emit({ type: 'act', act, task, ...(why === '' ? {} : { reason: why }) });
  return { ...state, focus: { at: 'sprint' } };
}

/** Keys while it is confirmed. */
export const sureKeys: readonly Binding[] = [
  { keys: ['y'], action: endTask, hint: ['y', 'skip it'], when: ends('skip') },
  { keys: ['y'], action: endTask, hint: ['y', 'cancel it'], when: ends('cancel') },
  { keys: ['n', 'escape'], action: reword, hint: ['n', 'no'] },
  { keys: ['ctrl+c'], action: 'force' },
];
