import { closeHelp } from './open-help.ts';
import { withFilter } from '../screen/browsing.ts';
import { agentsAtWork, sprintNow } from '../feed/sprint-now.ts';
import type { Effect } from '../screen/screen-effect.ts';
import type { Room } from '../terminal/room.ts';
import type { ScreenState } from '../screen/screen-state.ts';
import { currentDraft, isTyping, withDraft } from '../drafts/drafts.ts';
import type { Focus, StopKey } from '../screen/focus.ts';
import { emptyBuffer } from '../text/text-buffer.ts';

/**
 * The screen after Ctrl+C: what was typed is cleared first, and a box is closed; then a run asks before it stops its
 * agents. While they are being stopped, it ends them at once.
 */
export function interrupt(
  state: ScreenState,
  { isTooSmall }: Room,
  emit: (effect: Effect) => void,
): ScreenState {
  if (state.isStopping) {
    emit({ type: 'kill' });
    return state;
  }
  // What cannot be seen is not cleared either.
  const backed = isTooSmall ? undefined : stepOut(state);
  if (backed) return backed;
  if (state.summary) return leave(state, emit);
  if (state.focus.at === 'stop' || !mayStop(state) || agentsAtWork(state) === 0)
    return stop({ ...state, focus: { at: 'sprint' } }, 'Ctrl-C', emit);
  return askToStop(state, 'Ctrl-C');
}

/** The screen after `q`: of a run it asks what becomes of it. */
export function quit(state: ScreenState, emit: (effect: Effect) => void): ScreenState {
  if (state.summary) return leave(state, emit);
  return mayStop(state) ? askToStop(state, 'q') : stop(state, 'q', emit);
}

/** Stops the run, of which this is the screen, or leaves. */
export function stop(state: ScreenState, key: StopKey, emit: (effect: Effect) => void): ScreenState {
  if (!state.isOwner) emit({ type: 'leave' });
  if (!state.isOwner || state.isStopping) return state;
  emit({ type: 'stop', key });
  return { ...state, isStopping: true };
}

/** Back from the question what becomes of the run. */
export function stay(state: ScreenState): ScreenState {
  return state.focus.at === 'stop' ? { ...state, focus: state.focus.back } : state;
}

function leave(state: ScreenState, emit: (effect: Effect) => void): ScreenState {
  emit({ type: 'leave' });
  return state;
}

/** There is a run that would go on without that. */
function mayStop(state: ScreenState): boolean {
  return state.isOwner && !state.isStopping && sprintNow(state).state !== 'done';
}

function askToStop(state: ScreenState, key: StopKey): ScreenState {
  const { at } = state.focus;
  const back: Focus = at === 'sprint' ? { at } : { at: 'arming', dropped: 0 };
  return { ...state, focus: { at: 'stop', isArmed: false, key, back } };
}

/** One step out of what is typed or asked; `undefined`: there is none. */
function stepOut(state: ScreenState): ScreenState | undefined {
  if (isTyping(state) && currentDraft(state).text !== '') return withDraft(state, emptyBuffer);
  const { focus } = state;
  switch (focus.at) {
    case 'filter':
      return { ...withFilter(state, emptyBuffer), focus: { at: 'sprint' } };
    case 'palette':
      return { ...state, focus: focus.back === 'over' ? { at: 'over', top: 0 } : { at: 'sprint' } };
    case 'help':
      return closeHelp(state);
    case 'act':
    case 'act-sure':
      return { ...state, focus: { at: 'sprint' } };
    case 'reject':
      if (focus.back === 'batch') return { ...state, focus: { at: 'batch', isArmed: false, ids: focus.ids } };
      return { ...state, focus: focus.back === 'sprint' ? { at: 'sprint' } : { at: 'arming', dropped: 0 } };
    case 'rephrase':
    case 'confirm':
      return { ...state, focus: { at: focus.back } };
    case 'edit':
    case 'explain':
    case 'scope':
    case 'batch':
      return { ...state, questionTop: 0, focus: { at: 'arming', dropped: 0 } };
    default:
      return undefined;
  }
}
