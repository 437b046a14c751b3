import { Box } from 'ink';
import { AnswerBox } from './answer-box.tsx';
import type { Layout } from '../screen/layout.ts';
import type { Span } from '../text/spans.ts';
import { optionRows } from '../text/option-rows.ts';
import { optionMeant, optionsMarked } from '../../views/answer-choice.ts';
import { currentChoice, currentWords, isAtOption } from '../keys/answer-keys.ts';
import { SpanRow } from './span-row.tsx';
import { BarPane } from './bar-pane.tsx';
import { QuestionRule } from './question-rule.tsx';
import type { ScreenState } from '../screen/screen-state.ts';
import { currentDraft, isTyping } from '../screen/drafts.ts';
import type { Question } from '../../views/sprint-view.ts';
import { colors } from '../screen/theme.ts';

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
      {layout.optionRows > 0 && <Options state={state} question={question} layout={layout} />}
      <AnswerBox
        draft={currentDraft(state)}
        isFocused={isTyping(state) && !isAtOption(state)}
        color={state.focus.at === 'reject' ? colors.warning : colors.focus}
        placeholder={placeholderOf(state, question)}
        width={columns}
        rows={answerRows}
      />
    </Box>
  );
}

function placeholderOf({ focus, sending }: ScreenState, { id, options, isMultiple }: Question): string {
  if (sending.has(id)) return 'Recording…';
  if (focus.at === 'arming') return '…';
  if (focus.at === 'reject') return 'Reason for rejecting it';
  if (focus.at !== 'answer') return 'i or Enter: answer';
  if (isMultiple) return 'Type what else there is to say, or numbers of options';
  return options.length > 0 ? 'Type an answer, or the number of an option' : 'Type an answer';
}

/** Cells of a row in the pane that hold no text: the margin, the bar and a blank. */
const BAR_WIDTH = 4;

/** What there is to choose from, always in sight. */
function Options({ state, question, layout }: Omit<QuestionBoxProps, 'lines'>) {
  const { columns, optionRows: rows } = layout;
  const { options } = question;
  const words = state.focus.at === 'reject' ? { text: '' } : currentWords(state);
  const choice = currentChoice(state);
  const { isMultiple } = question;
  const at = isMultiple ? choice.at : optionMeant(options, choice, words);
  const marked = isMultiple ? optionsMarked(options, choice, words) : undefined;
  const shown = optionRows({ options, at, marked, width: columns - BAR_WIDTH }, rows);
  // Where there is room for it they stand apart.
  const gap = rows > shown.length ? [{ spans: [] }] : [];
  return (
    <BarPane width={columns} rows={rows} part="options" itemAt={({ row }) => shown[row - gap.length]?.option}>
      {[...gap, ...shown].map(({ spans }, row) => (
        <SpanRow key={row} spans={spans} />
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
