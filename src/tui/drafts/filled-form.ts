import type { Choice } from '../../views/requests/answer-choice.ts';
import type { TextBuffer } from '../text/text-buffer.ts';

/** What a person has chosen and typed for one question of a form, and where they are in it. */
export type FormEntry = { readonly choice: Choice; readonly words: TextBuffer };

/** How far a form is filled in. `at`: the question that is shown; behind the last one all are looked at before they are sent. */
export type FormState = {
  readonly at: number;
  readonly entries: readonly FormEntry[];
  /** Where the person is among the answers that are looked at. */
  readonly review: Choice;
};
