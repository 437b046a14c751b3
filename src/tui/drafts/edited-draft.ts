import { MAX_TEXT_LENGTH } from '../../events/field-schemas.ts';
import { withoutHiddenButJoiners } from '../../lib/text/hidden-characters.ts';
import type { EditedText } from '../../lib/processes/open-editor.ts';
import { atWords } from '../keys/answer-keys.ts';
import type { KeyContext } from '../keys/binding.ts';
import { noChoice } from '../../views/requests/answer-choice.ts';
import { wholeText } from '../text/text-buffer.ts';
import { keepingWords, notSent } from './unsent-words.ts';
import { draftText, placeOfDraft } from './drafts.ts';
import { currentForm, withForm } from './form-state.ts';
import type { DraftPlace } from '../screen/focus.ts';
import type { ScreenState } from '../screen/screen-state.ts';

/** Has what stands in the box changed in an editor. */
export function editDraft(state: ScreenState, { emit }: Pick<KeyContext, 'emit'>): ScreenState {
  const words = atWords(state);
  const at = placeOfDraft(words);
  if (at) emit({ type: 'edit-draft', at, text: draftText(words) });
  return words;
}

/** The name of the file for the editor. */
export function draftName({ kept }: DraftPlace): string {
  return kept === 'edits' ? 'call.txt' : 'answer.md';
}

/** The screen when the editor has ended. What was typed before stays, whatever it failed with; nothing is sent. */
export function takeEdited(state: ScreenState, at: DraftPlace, edited: EditedText): ScreenState {
  if ('problem' in edited) return told(state, `The draft is as it was: ${edited.problem}`);
  if (!state.sprint.open.some(({ id }) => id === at.id))
    return keepingWords(told(state, `The question was closed meanwhile: ${notSent(edited.text)}`), [
      edited.text,
    ]);
  const text = withoutHiddenButJoiners(edited.text);
  if (text.length > MAX_TEXT_LENGTH)
    return told(state, `The draft is as it was: ${text.length} characters are too long for an answer`);
  if (text.trim() === '' && hasWords(state, at))
    return told(state, 'The draft is as it was: the editor left an empty file. Ctrl+C clears it');
  const draft = { text, cursor: text.length };
  const free = { ...state, notice: undefined };
  if (at.entry === undefined) return { ...free, [at.kept]: new Map(state[at.kept]).set(at.id, draft) };
  const form = currentForm({ ...state, current: at.id });
  if (!form) return free;
  const entries = form.state.entries.with(at.entry, {
    choice: noChoice,
    ...form.state.entries[at.entry],
    words: draft,
  });
  return withForm(free, at.id, { ...form.state, entries });
}

/** Something stands in the box that was edited. */
function hasWords(state: ScreenState, { id, kept, entry }: DraftPlace): boolean {
  const buffer = entry === undefined ? state[kept].get(id) : state.forms.get(id)?.entries[entry]?.words;
  return buffer !== undefined && wholeText(buffer).trim() !== '';
}

function told(state: ScreenState, text: string): ScreenState {
  return { ...state, notice: { tone: 'warning', text } };
}
