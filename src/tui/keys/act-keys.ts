import { ADHOC_STREAM } from '../../events/adhoc-stream.ts';
import type { SprintAct, TaskAct } from '../../views/sprints/possible-acts.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { shownTask } from '../screen/browsing.ts';
import type { ScreenState } from '../screen/screen-state.ts';
import { currentDraft, withDraft } from '../drafts/drafts.ts';
import { isActing, type EndingAct } from '../screen/focus.ts';
import { isAtWork } from '../feed/sprint-now.ts';
import { emptyBuffer, typeIn, wholeText } from '../text/text-buffer.ts';
import type { Act, Binding, KeyContext, KeyName, Situation } from './binding.ts';
import { quit } from './interrupt.ts';
import { openHelpUnnamed } from './open-help.ts';
import { asks, asksAboutCall, owns, watches } from './shared-keys.ts';

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
/** Where nobody runs it, there is nothing to pause. */
const mayPause = ({ state }: Situation) =>
  state.processes.hasRunner && state.sprint.possible.sprint.includes('pause');
/** What nobody is there to hear is no note. */
const mayNote = (now: Situation) => isPossible('note')(now) && isHeard(now);
const isHeard = ({ state }: Situation) => {
  const shown = shownTask(state);
  const task = state.sprint.tasks.find(({ id }) => id === shown);
  if (task === undefined) return false;
  if (task.byHandSince !== undefined) return true;
  return state.processes.hasRunner || (task.agent !== undefined && !state.processes.gone.has(task.id));
};
/** A run is what one wants where nobody is at work on what is left of a sprint. */
const isLeft = (now: Pick<Situation, 'state'>) =>
  watches(now) &&
  !now.state.processes.hasRunner &&
  now.state.mayApprove &&
  !hasEnded(now) &&
  now.state.sprint.id !== ADHOC_STREAM;
/** A worker will run it: that it is to be run here is no more what one came for. */
const isQueued = ({ state }: Pick<Situation, 'state'>) => state.sprint.queuedAt !== undefined;
/** Nobody runs what is left of it, nor will. */
export const mayBegin = (now: Pick<Situation, 'state'>) => isLeft(now) && !isQueued(now);
const mayStopRun = ({ state }: Situation) => isAtWork(state);
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

/** Asks for the reason, or the note. What cannot be is said at once, by the machines: nothing is decided before it was confirmed. */
const askAbout =
  (act: Exclude<TaskAct, 'retry'>): Act =>
  (state, { emit }) => {
    const task = shownTask(state);
    if (task === undefined) return state;
    if (!state.mayApprove) return refuseAgent(state);
    if (mayAct(state, act, task)) return { ...state, focus: { at: 'act', act, task, reason: emptyBuffer } };
    emit({ type: 'why-not', act, task });
    return state;
  };

const cancelSprint: Act = (state, { emit }) => {
  if (!state.mayApprove) return refuseAgent(state);
  if (mayCancelSprint({ state }))
    return { ...state, focus: { at: 'act', act: 'cancel', task: undefined, reason: emptyBuffer } };
  emit({ type: 'why-not', act: 'cancel' });
  return state;
};
const mayCancelSprint = ({ state }: Pick<Situation, 'state'>) =>
  state.mayApprove && state.sprint.possible.sprint.includes('cancel');

/** The run of this screen is stopped as with `q`; that of another process after a yes. */
const stopRun: Act = (state, { emit }) => {
  if (owns({ state })) return quit(state, emit);
  if (!state.mayApprove) return refuseAgent(state);
  if (isQueued({ state }) && !isAtWork(state)) return refuseQueued(state);
  return askSurely(state, { act: 'stop' });
};

/** What cannot be run is said at once. Else it is asked: see `askToStart`. */
const start: Act = (state, { emit }) => {
  if (!state.mayApprove) return refuseAgent(state);
  emit({ type: 'ask-start' });
  return state;
};

/** Asks whether the sprint is to be run, unless the person has turned to something else. */
export function askToStart(state: ScreenState, starts?: readonly string[]): ScreenState {
  return state.focus.at === 'sprint' ? askSurely(state, { act: 'start', starts }) : state;
}

function askSurely(state: ScreenState, about: Pick<EndingAct, 'act' | 'starts'>): ScreenState {
  const focus = { at: 'act-sure', isArmed: false, task: undefined, reason: emptyBuffer } as const;
  return { ...state, focus: { ...focus, ...about } };
}

const isOver = ({ state: { sprint } }: Pick<Situation, 'state'>) => sprint.state === 'done';
/** Nothing of it can be run any more. */
const hasEnded = (now: Pick<Situation, 'state'>) => isOver(now) && now.state.sprint.detail !== 'failed';

const isRunning: Act = (state) => ({
  ...state,
  notice: { tone: 'info', text: 'It is being run already: this is its screen. T stops the run.' },
});

function refuseQueued(state: ScreenState): ScreenState {
  const out = `clifford queue cancel ${visibleLine(state.sprint.id)}`;
  const text = `Nobody runs it yet: it waits in the queue for a worker. ${out} takes it out`;
  return { ...state, notice: { tone: 'warning', text } };
}

function refuseAgent(state: ScreenState): ScreenState {
  return {
    ...state,
    notice: { tone: 'warning', text: 'A human decides this: this is the shell of an agent' },
  };
}

const helpOfStart: KeyName = ['B', 'run the sprint, if nobody does, after a confirmation'];

/** Where nobody runs the sprint, and nothing is asked, that is what one came for. */
export const beginKey: Binding = {
  keys: ['B'],
  action: start,
  hint: ['B', 'run it'],
  help: helpOfStart,
  group: 'Act',
  when: (now) => mayBegin(now) && !asks(now) && !asksAboutCall(now),
};

/** Keys that decide about the sprint and the task that is picked: capitals, so that none that moves is near. */
export const actKeys: readonly Binding[] = [
  { keys: ['R'], action: retry, hint: ['R', 'retry'], group: 'Act', when: isPossible('retry') },
  { keys: ['P'], action: pauseOrResume, hint: ['P', 'pause'], group: 'Act', when: mayPause },
  { keys: ['P'], action: pauseOrResume, hint: ['P', 'resume'], group: 'Act', when: mayResume },
  {
    keys: ['S'],
    action: askAbout('skip'),
    hint: ['S', 'skip…'],
    help: ['S', 'skip the task, with a reason'],
    group: 'Act',
    when: isPossible('skip'),
  },
  {
    keys: ['X'],
    action: askAbout('cancel'),
    hint: ['X', 'cancel…'],
    help: ['X', 'end the task for good, with a reason'],
    group: 'Act',
    when: isPossible('cancel'),
  },
  {
    keys: ['M'],
    action: askAbout('note'),
    hint: ['M', 'note…'],
    help: ['M', 'send its agent a message while it works: a note'],
    group: 'Act',
    when: mayNote,
  },
  // Where nothing is left to stop it says so, and nobody is to look for it.
  { keys: ['T'], action: stopRun, when: isOver },
  { keys: ['B'], action: start, help: helpOfStart, group: 'Act', when: mayBegin },
  {
    keys: ['T'],
    action: stopRun,
    help: ['T', 'stop the run, also one in another terminal'],
    group: 'Act',
    when: mayStopRun,
  },
  {
    keys: ['C'],
    action: cancelSprint,
    help: ['C', 'end the whole sprint for good, with a reason'],
    group: 'Act',
    when: mayCancelSprint,
  },
  // The same where they cannot be used: they say why.
  { keys: ['B'], action: isRunning, when: owns },
  { keys: ['B'], action: start },
  { keys: ['T'], action: stopRun },
  { keys: ['M'], action: askAbout('note'), when: isOnTasks },
  { keys: ['C'], action: cancelSprint },
  { keys: ['R'], action: retry, when: isOnTasks },
  { keys: ['P'], action: pauseOrResume },
  { keys: ['S'], action: askAbout('skip'), when: isOnTasks },
  { keys: ['X'], action: askAbout('cancel'), when: isOnTasks },
];

const leave = (state: ScreenState): ScreenState => ({ ...state, focus: { at: 'sprint' } });

const reword: Act = (state) => {
  if (!isActing(state.focus)) return state;
  const { act, task, reason } = state.focus;
  // There was no text to come back to.
  if (act === 'stop' || act === 'start') return leave(state);
  return { ...state, focus: { at: 'act', act, task, reason } };
};

const askIfSure: Act = (state) => {
  if (!isActing(state.focus)) return state;
  const { act, task, reason } = state.focus;
  return { ...state, focus: { at: 'act-sure', isArmed: false, act, task, reason } };
};

const newline: Act = (state) => withDraft(state, typeIn(currentDraft(state), '\n'));

const writes =
  (act: EndingAct['act']) =>
  ({ state: { focus } }: Situation): boolean =>
    isActing(focus) && focus.act === act;

const send: Act = (state, context) => {
  if (!isActing(state.focus)) return state;
  if (wholeText(state.focus.reason).trim() !== '') return decide(state, context);
  return { ...state, notice: { tone: 'warning', text: 'Type the note first. Esc goes back.' } };
};

/** Keys while the reason, or a note, is typed. */
export const reasonKeys: readonly Binding[] = [
  { keys: ['enter'], action: send, hint: ['Enter', 'send'], when: writes('note') },
  { keys: ['enter'], action: askIfSure, hint: ['Enter', 'skip it…'], when: writes('skip') },
  { keys: ['enter'], action: askIfSure, hint: ['Enter', 'cancel it…'], when: writes('cancel') },
  { keys: ['escape'], action: leave, hint: ['Esc', 'back'] },
  { keys: ['ctrl+c'], action: 'force' },
  { keys: ['alt+enter', 'ctrl+j'], action: newline, hint: ['Alt+Enter', 'line'] },
];

const isArmed = ({ state: { focus } }: Situation) => focus.at === 'act-sure' && focus.isArmed;
const ends =
  (act: EndingAct['act']) =>
  (now: Situation): boolean =>
    isArmed(now) && writes(act)(now);

function decide(state: ScreenState, { emit }: KeyContext): ScreenState {
  if (!isActing(state.focus)) return state;
  const { act, task, reason } = state.focus;
  const why = wholeText(reason).trim();
  if (act === 'start') emit({ type: 'start' });
  else emit({ type: 'act', act, task, ...(why === '' ? {} : { reason: why }) });
  return { ...state, focus: { at: 'sprint' } };
}

/** Keys while it is confirmed. */
export const sureKeys: readonly Binding[] = [
  { keys: ['y'], action: decide, hint: ['y', 'skip it'], when: ends('skip') },
  { keys: ['y'], action: decide, hint: ['y', 'cancel it'], when: ends('cancel') },
  { keys: ['y'], action: decide, hint: ['y', 'stop it'], when: ends('stop') },
  { keys: ['y'], action: decide, hint: ['y', 'start it'], when: ends('start') },
  { keys: ['n', 'escape'], action: reword, hint: ['n', 'no'] },
  openHelpUnnamed,
  { keys: ['ctrl+c'], action: 'force' },
];
