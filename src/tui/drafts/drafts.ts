import { helpWith } from '../keys/help-focus.ts';
import { emptyBuffer, wholeText, type TextBuffer } from '../text/text-buffer.ts';
import { currentFilter, withFilter } from '../screen/browsing.ts';
import { isActing, type DraftPlace, type Drafts, type Focus } from '../screen/focus.ts';
import { currentForm, shownEntry, withEntry } from './form-state.ts';
import type { ScreenState } from '../screen/screen-state.ts';

/** What stands in the box: the answer to the question that is shown, the reason for turning it down, or the call changed. */
export function currentDraft(state: ScreenState): TextBuffer {
  if (state.focus.at === 'filter') return currentFilter(state);
  if (state.focus.at === 'goal') return state.past?.goal ?? emptyBuffer;
  if (isActing(state.focus)) return state.focus.reason;
  if (state.focus.at === 'palette') return state.focus.draft;
  if (state.focus.at === 'help') return state.focus.find;
  const { current } = state;
  const kept = draftsAt(state);
  const form = kept === 'drafts' ? currentForm(state) : undefined;
  if (form) return shownEntry(form).words;
  return (current === undefined ? undefined : state[kept].get(current)) ?? emptyBuffer;
}

/** The same in full, with what was pasted. */
export function draftText(state: ScreenState): string {
  return wholeText(currentDraft(state));
}

/** The screen with another text in the box. */
export function withDraft(state: ScreenState, draft: TextBuffer): ScreenState {
  if (state.focus.at === 'filter') return withFilter(state, draft);
  if (state.focus.at === 'goal')
    return state.past ? { ...state, past: { ...state.past, goal: draft } } : state;
  const { focus } = state;
  if (isActing(focus)) return { ...state, focus: { ...focus, reason: draft } };
  if (focus.at === 'palette') return { ...state, focus: { ...focus, draft, picked: 0, recalled: undefined } };
  if (focus.at === 'help') return focus.isFinding ? { ...state, focus: helpWith(focus, draft) } : state;
  const { current } = state;
  if (current === undefined) return state;
  const key = draftsAt(state);
  if (key === 'drafts' && currentForm(state)) return withEntry(state, { words: draft });
  return { ...state, [key]: new Map(state[key]).set(current, draft) };
}

/** Where the text of the box is kept; `undefined`: it is none of a question. */
export function placeOfDraft(state: ScreenState): DraftPlace | undefined {
  const { focus, current } = state;
  const kept = focus.at === 'answer' ? 'drafts' : draftsOf[focus.at];
  if (kept === undefined || current === undefined) return undefined;
  const form = kept === 'drafts' ? currentForm(state) : undefined;
  if (!form) return { id: current, kept };
  return form.shown && { id: current, kept, entry: form.state.at };
}

/** Where what is typed is kept. */
function draftsAt({ focus }: ScreenState): Drafts {
  return draftsOf[focus.at] ?? 'drafts';
}

const draftsOf: Partial<Record<Focus['at'], Drafts>> = {
  reject: 'reasons',
  rephrase: 'asks',
  edit: 'edits',
  explain: 'asks',
};

/** Does the box take text? */
export function isTyping({ focus }: ScreenState): boolean {
  const { at } = focus;
  if (focus.at === 'help') return focus.isFinding;
  return (
    at === 'answer' || at === 'filter' || at === 'goal' || at === 'act' || at === 'palette' || at in draftsOf
  );
}
