import { Box } from 'ink';
import { AnswerBox } from './answer-box.tsx';
import { hasBorder, type Layout } from '../terminal/layout.ts';
import type { Span } from '../text/spans.ts';
import { optionRows } from '../text/option-rows.ts';
import { optionMeant, optionsMarked } from '../../views/requests/answer-choice.ts';
import { actionOf } from '../keys/keymap.ts';
import { currentChoice, currentWords, isAtOption } from '../keys/answer-keys.ts';
import { SpanRow } from './span-row.tsx';
import { BarPane } from './bar-pane.tsx';
import { QuestionRule } from './question-rule.tsx';
import type { ScreenState } from '../screen/screen-state.ts';
import { currentDraft, isTyping } from '../drafts/drafts.ts';
import { choosable, currentForm, hasReview } from '../drafts/form-state.ts';
import { formTabs } from '../text/form-rows.ts';
import type { Question } from '../../views/sprints/sprint-view.ts';
import { colors } from '../terminal/theme.ts';

type QuestionBoxProps = {
  readonly state: ScreenState;
  readonly question: Question;
  readonly lines: readonly (readonly Span[])[];
  readonly layout: Layout;
};

/** An open question and the box for its answer. */
export function QuestionBox({ state, question, lines, layout }: QuestionBoxProps) {
  const { columns, questionRows, answerRows } = layout;
  const top = Math.min(state.questionTop, Math.max(0, lines.length - questionRows));
  return (
    <Box flexDirection="column" flexShrink={0}>
      <QuestionRule state={state} question={question} top={top} count={lines.length} layout={layout} />
      <QuestionPane lines={lines} top={top} width={columns} rows={questionRows} />
      {layout.optionRows > 0 && <Options state={state} layout={layout} />}
      <AnswerBox
        draft={currentDraft(state)}
        isFocused={isTyping(state) && !isAtOption(state)}
        color={isAgainst(state) ? colors.warning : colors.focus}
        placeholder={placeholderOf(state, question)}
        width={columns}
        rows={answerRows}
        hasBorder={hasBorder(layout)}
      />
    </Box>
  );
}

/** What is typed is no answer. */
function isAgainst({ focus }: ScreenState): boolean {
  return focus.at === 'reject' || focus.at === 'rephrase';
}

function placeholderOf(state: ScreenState, { id }: Question): string {
  const { focus, sending } = state;
  const { options, isMultiple } = choosable(state);
  if (sending.has(id)) return 'Recording…';
  if (focus.at === 'arming') return '…';
  if (focus.at === 'closed') return 'Esc: go on';
  if (focus.at === 'rephrase') return 'What is unclear, if you like';
  if (focus.at === 'reject') return 'Reason for rejecting it';
  if (focus.at !== 'answer') return `${keysToAnswer(state)}: answer`;
  const form = currentForm(state);
  if (form && !form.shown) return 'Enter sends these answers';
  if (form?.shown?.ownWords === false) return 'The number of an option, or its words';
  if (isMultiple) return 'Type what else there is to say, or numbers of options';
  return options.length > 0 ? 'Type an answer, or the number of an option' : 'Type an answer';
}

/** The keys that lead into the box: where the pane beside has Enter, that is not one of them. */
export function keysToAnswer(state: ScreenState): string {
  const isEnter = actionOf('enter', { state, canScrollQuestion: false }) === 'enter-box';
  return isEnter ? 'i or Enter' : 'i';
}

/** Cells of a row in the pane that hold no text: the margin, the bar and a blank. */
const BAR_WIDTH = 4;

/** What there is to choose from, always in sight. */
function Options({ state, layout }: Pick<QuestionBoxProps, 'state' | 'layout'>) {
  const { columns, optionRows: rows } = layout;
  const width = columns - BAR_WIDTH;
  const form = currentForm(state);
  const { options, abouts, isMultiple, hasMarks } = choosable(state);
  const words = isAgainst(state) ? { text: '' } : currentWords(state);
  const choice = currentChoice(state);
  const at = isMultiple ? choice.at : optionMeant(options, choice, words);
  const several = isMultiple ? optionsMarked(options, choice, words) : choice.marked;
  const marked = hasMarks ? (several ?? []) : undefined;
  const hasKeys = isAtOption(state) && isTyping(state);
  const tabs = form && hasReview(form.questions) ? [{ spans: formTabs(form, width) }] : [];
  const list = { options, abouts, at, marked, isOne: !isMultiple, width };
  const shown = optionRows(list, Math.max(0, rows - tabs.length));
  // Where there is room for it they stand apart.
  const gap = rows > tabs.length + shown.length ? [{ spans: [] }] : [];
  const above = [...gap, ...tabs];
  return (
    <BarPane
      width={columns}
      rows={rows}
      part="options"
      itemAt={({ row }) => shown[row - above.length]?.option}
    >
      {above.map(({ spans }, row) => (
        <SpanRow key={row} spans={spans} />
      ))}
      {shown.map(({ spans, isAt }, row) => (
        <SpanRow key={above.length + row} spans={spans} barWidth={hasKeys && isAt ? width : undefined} />
      ))}
    </BarPane>
  );
}

type QuestionPaneProps = {
  readonly lines: readonly (readonly Span[])[];
  /** Lines above the first that is shown. */
  readonly top: number;
  readonly width: number;
  readonly rows: number;
};

/** The agent's words. */
function QuestionPane({ lines, top, width, rows }: QuestionPaneProps) {
  return (
    <BarPane width={width} rows={rows}>
      {lines.slice(top, top + rows).map((spans, at) => (
        <SpanRow key={top + at} spans={spans} />
      ))}
    </BarPane>
  );
}
