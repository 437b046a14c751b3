import { Box } from 'ink';
import { AnswerBox } from './answer-box.tsx';
import { asOneLine } from './sanitise.ts';
import type { Layout } from './layout.ts';
import type { QuestionLine } from './question-lines.ts';
import { QuestionPane } from './question-pane.tsx';
import { Rule } from './rule.tsx';
import { currentDraft } from './screen-state.ts';
import type { ScreenState } from './screen-state.ts';
import type { Question } from './screen-view.ts';
import { colors } from './theme.ts';

type QuestionBoxProps = {
  readonly state: ScreenState;
  readonly question: Question;
  readonly lines: readonly QuestionLine[];
  readonly layout: Layout;
};

/** An open question and the box for its answer. */
export function QuestionBox({ state, question, lines, layout }: QuestionBoxProps) {
  const { columns, questionRows, answerRows, isNarrow, tasksWidth } = layout;
  const top = Math.min(state.questionTop, Math.max(0, lines.length - questionRows));
  const end = Math.min(top + questionRows, lines.length);
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Rule
        width={columns}
        title={titleOf(state, question)}
        note={lines.length > questionRows ? `lines ${top + 1}–${end} of ${lines.length}` : undefined}
        color={colors.question}
        jointAt={isNarrow ? undefined : tasksWidth}
      />
      <QuestionPane lines={lines} top={top} width={columns} rows={questionRows} />
      <AnswerBox
        draft={currentDraft(state)}
        isFocused={state.focus.at === 'answer'}
        placeholder={placeholderOf(state, question)}
        width={columns}
        rows={answerRows}
      />
    </Box>
  );
}

function titleOf({ sprint: { open } }: ScreenState, { id, asker, task, kind }: Question): string {
  const number =
    open.length > 1 ? ` ${open.findIndex((other) => other.id === id) + 1} of ${open.length}` : '';
  const asks = kind === 'approval' ? 'asks for approval' : 'asks';
  const about = task === undefined ? '' : ` about ${task}`;
  return asOneLine(`Question${number} · ${asker} ${asks}${about}`);
}

function placeholderOf({ focus, sending }: ScreenState, { id, options }: Question): string {
  if (sending.has(id)) return 'Recording…';
  if (focus.at === 'arming') return '…';
  if (focus.at !== 'answer') return 'i or Enter: answer';
  return options.length > 0 ? 'Type an answer, or the number of an option' : 'Type an answer';
}
