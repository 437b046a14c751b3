import type { ScreenEvent } from './screen-event.ts';
import type { ScreenState } from './screen-state.ts';
import { keepingWords } from '../drafts/unsent-words.ts';

type Event<T extends ScreenEvent['type']> = Extract<ScreenEvent, { type: T }>;

/** Whatever became of it, the question has ended: it stays among those being sent until the news says so. */
export function takeOutcome(state: ScreenState, { id, notice, unsent = [] }: Event<'outcome'>): ScreenState {
  const without = <T>(kept: ReadonlyMap<string, T>) => new Map([...kept].filter(([of]) => of !== id));
  return {
    ...keepingWords(state, unsent),
    drafts: without(state.drafts),
    choices: without(state.choices),
    forms: without(state.forms),
    reasons: without(state.reasons),
    edits: without(state.edits),
    asks: without(state.asks),
    notice,
  };
}

/** What was typed stays, and its box is open again, unless the person has gone elsewhere meanwhile. */
export function takeUnsent(state: ScreenState, { id, why, back }: Event<'unsent'>): ScreenState {
  const isThere = state.focus.at === 'sprint' && !state.past && id === state.current;
  const text = isThere ? why : `${why}. i leads back to it`;
  const sending = allBut(state.sending, id);
  return { ...state, sending, notice: { tone: 'warning', text }, ...(isThere ? { focus: back } : {}) };
}

/** What was typed stays, and its box is open again, unless the person has gone elsewhere meanwhile. */
export function takeUnrecorded(
  state: ScreenState,
  { id, why, back, again }: Event<'unrecorded'>,
): ScreenState {
  const isThere = state.focus.at === 'sprint' && !state.past && (id === undefined || id === state.current);
  const text = `${why}, then ${isThere ? again : `go back, and ${again}`}`;
  const sending = id === undefined ? state.sending : allBut(state.sending, id);
  const notice = { tone: 'warning', text } as const;
  return { ...state, sending, notice, ...(isThere ? { focus: back } : {}) };
}

function allBut(ids: ReadonlySet<string>, id: string): Set<string> {
  return new Set([...ids].filter((each) => each !== id));
}
