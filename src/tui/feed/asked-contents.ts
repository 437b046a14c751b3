import { wideScopes } from '../keys/decide-call.ts';
import { answerRows } from '../panes/answer-box.tsx';
import { optionRowCount } from '../text/option-rows.ts';
import { currentQuestion, isElsewhere } from '../screen/current-question.ts';
import { currentDraft, isTyping } from '../drafts/drafts.ts';
import { isActing } from '../screen/focus.ts';
import { choosable, currentForm, hasReview } from '../drafts/form-state.ts';
import type { Contents } from '../terminal/layout.ts';
import type { ScreenState } from '../screen/screen-state.ts';
import { BAR_WIDTH, type Asked } from './use-asked.ts';

/** From so many rows on, options stand apart from their question. */
const APART_ROWS = 30;

/** What is asked, as it has to find its place on a screen of so many rows, in a box of this width. */
export function askedContents(
  state: ScreenState,
  { question, rows: lines, act, actLines }: Asked,
  { width, rows }: { readonly width: number; readonly rows: number },
): Pick<
  Contents,
  'questionLines' | 'answerLines' | 'isBoxed' | 'optionLines' | 'hasKeys' | 'isCard' | 'isLeft'
> {
  const isHere = !state.past && !isElsewhere(state);
  const hasOptions = question !== undefined && !question.approval && !state.past;
  return {
    questionLines: question ? lines.length : act && actLines.length,
    ...roomForAnswer(state, width),
    hasKeys: !state.past,
    isCard: question?.approval !== undefined && isHere,
    isLeft: question !== undefined && !state.past && !isHere,
    optionLines: hasOptions ? optionLinesOf(state, { width, rows }) : 0,
  };
}

function optionLinesOf(
  state: ScreenState,
  { width, rows }: { readonly width: number; readonly rows: number },
): number {
  const { options, abouts, isMultiple, hasMarks } = choosable(state);
  const marked = hasMarks ? [] : undefined;
  const form = currentForm(state);
  const tabs = form && hasReview(form.questions) ? 1 : 0;
  const lines =
    tabs + optionRowCount({ options, abouts, marked, isOne: !isMultiple, width: width - BAR_WIDTH });
  return lines === 0 || rows < APART_ROWS ? lines : lines + 1;
}

/** What the answer to the question that is shown needs: a box for words, or lines for keys. */
function roomForAnswer(state: ScreenState, width: number): Pick<Contents, 'answerLines' | 'isBoxed'> {
  if (state.past) return { answerLines: 1, isBoxed: false };
  if (!currentQuestion(state)?.approval || isTyping(state) || isActing(state.focus))
    return { answerLines: answerRows(currentDraft(state), width).length, isBoxed: true };
  return { answerLines: state.focus.at === 'scope' ? wideScopes(state).length : 1, isBoxed: false };
}
