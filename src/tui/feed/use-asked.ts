import { useContext, useMemo } from 'react';
import type { Question } from '../../views/sprints/sprint-view.ts';
import { actLines } from '../text/act-lines.ts';
import { approvalRows } from '../text/approval-lines.ts';
import { batchRows } from '../text/batch-lines.ts';
import { questionRows } from '../text/question-lines.ts';
import type { Span } from '../text/spans.ts';
import { UNFOLD_KEY } from '../keys/call-keys.ts';
import { keyInWords, KeyWordsContext } from '../keys/key-words.ts';
import { batchOf, currentQuestion } from '../screen/current-question.ts';
import { formQuestionRows } from '../text/form-rows.ts';
import { currentForm } from '../drafts/form-state.ts';
import { isActing, type EndingAct } from '../screen/focus.ts';
import type { ScreenState } from '../screen/screen-state.ts';

/** Cells of a question's line that hold no text: the margin, the bar and a blank. */
export const BAR_WIDTH = 4;

/** Keys that go from option to option. */
const MOVES = '↑/↓';

type Rows = readonly (readonly Span[])[];

/** What a box is shown for: a question, or something that is being decided about the sprint or a task. */
export type Asked = {
  readonly question: Question | undefined;
  /** The question, in rows; of calls that wait, their cards. */
  readonly rows: Rows;
  readonly act: EndingAct | undefined;
  /** What becomes of it. */
  readonly actLines: readonly string[];
};

/** What is asked, in lines for a box of this width; no question while something is being decided. */
export function useAsked(state: ScreenState, width: number): Asked {
  const act = isActing(state.focus) ? state.focus : undefined;
  const question = act ? undefined : currentQuestion(state);
  const lines = useQuestionLines(state, question, width - BAR_WIDTH);
  const cards = useCallRows(state, question, width - BAR_WIDTH);
  return {
    question,
    rows: question?.approval ? cards : lines,
    act,
    actLines: act ? actLines(act, state, width - 2) : [],
  };
}

function useQuestionLines(state: ScreenState, question: Question | undefined, width: number): Rows {
  const { sprint, current, forms } = state;
  const isPast = state.past !== undefined;
  const isInWords = useContext(KeyWordsContext);
  return useMemo(() => {
    if (!question || question.approval) return [];
    const form = isPast ? undefined : currentForm({ sprint, current, forms });
    return form
      ? formQuestionRows(question, form, { width, moves: isInWords ? keyInWords(MOVES) : MOVES })
      : questionRows(question, width, { withOptions: isPast });
  }, [question, width, isPast, sprint, current, forms, isInWords]);
}

function useCallRows(state: ScreenState, question: Question | undefined, width: number): Rows {
  const { focus, sprint, revealed: all, commands, files: allFiles } = state;
  const isPast = state.past !== undefined;
  const { approval, folder } = question ?? {};
  const revealed = question && all.get(question.id);
  const offer = question && state.offers.get(question.id);
  const command = question && commands.get(question.id);
  const files = question && allFiles.get(question.id);
  const unfold = question && state.folded.has(question.id) ? UNFOLD_KEY : undefined;
  const batch = useMemo(() => batchOf({ focus, sprint }), [focus, sprint]);
  return useMemo(() => {
    if (batch.length > 0) return batchRows(batch, width, { revealed: all, commands, files: allFiles });
    return approval
      ? approvalRows(approval, width, { revealed, offer, command, files, unfold, folder, isPast })
      : [];
  }, [
    approval,
    width,
    revealed,
    offer,
    command,
    files,
    unfold,
    folder,
    isPast,
    batch,
    all,
    commands,
    allFiles,
  ]);
}
