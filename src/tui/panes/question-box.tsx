import { Box, Text } from 'ink';
import { AnswerBox } from './answer-box.tsx';
import type { Layout } from '../screen/layout.ts';
import type { QuestionLine } from '../text/question-lines.ts';
import { BarPane } from './bar-pane.tsx';
import { QuestionRule } from './question-rule.tsx';
import type { ScreenState } from '../screen/screen-state.ts';
import { currentDraft, isTyping } from '../screen/drafts.ts';
import type { Question } from '../../views/sprint-view.ts';
import { colors } from '../screen/theme.ts';

type QuestionBoxProps = {
  readonly state: ScreenState;
  readonly question: Question;
  readonly lines: readonly QuestionLine[];
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
      <AnswerBox
        draft={currentDraft(state)}
        isFocused={isTyping(state)}
        color={state.focus.at === 'reject' ? colors.warning : colors.focus}
        placeholder={placeholderOf(state, question)}
        width={columns}
        rows={answerRows}
      />
    </Box>
  );
}

function placeholderOf({ focus, sending }: ScreenState, { id, options }: Question): string {
  if (sending.has(id)) return 'Recording…';
  if (focus.at === 'arming') return '…';
  if (focus.at === 'reject') return 'Reason for rejecting it';
  if (focus.at !== 'answer') return 'i or Enter: answer';
  return options.length > 0 ? 'Type an answer, or the number of an option' : 'Type an answer';
}

type QuestionPaneProps = {
  readonly lines: readonly QuestionLine[];
  /** Lines above the first that is shown. */
  readonly top: number;
  readonly width: number;
  readonly rows: number;
};

const styles = {
  question: { bold: true },
  option: { color: colors.focus },
  about: { dimColor: true },
} as const;

/** The agent's words. */
function QuestionPane({ lines, top, width, rows }: QuestionPaneProps) {
  return (
    <BarPane width={width} rows={rows}>
      {lines.slice(top, top + rows).map(({ text, style }, at) => (
        <Text key={top + at} wrap="truncate" {...styles[style]}>
          {text === '' ? ' ' : text}
        </Text>
      ))}
    </BarPane>
  );
}
