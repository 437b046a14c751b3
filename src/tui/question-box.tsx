import { Box } from 'ink';
import { AnswerBox } from './answer-box.tsx';
import { asOneLine } from './sanitise.ts';
import type { Layout } from './layout.ts';
import type { QuestionLine } from './question-lines.ts';
import { QuestionPane } from './question-pane.tsx';
import { Rule } from './rule.tsx';
import { currentDraft, isTyping } from './screen-state.ts';
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
        isFocused={isTyping(state)}
        color={state.focus.at === 'reject' ? colors.warning : colors.focus}
        placeholder={placeholderOf(state, question)}
        width={columns}
        rows={answerRows}
      />
    </Box>
  );
}

/** How each kind is called, and what its asker does. */
const kinds = {
  help: ['Question', 'asks'],
  clarification: ['Clarification', 'asks'],
  approval: ['Approval', 'asks for approval'],
  prompt: ['Prompt', 'waits at a prompt'],
} as const satisfies Record<Question['kind'], readonly [name: string, does: string]>;

function titleOf({ sprint: { open } }: ScreenState, { id, asker, task, kind }: Question): string {
  const [name, does] = kinds[kind];
  const at = open.findIndex((other) => other.id === id) + 1;
  // Counted are all kinds together.
  const what = kind === 'help' ? '' : `, ${name.toLowerCase()}`;
  const numbered = open.length > 1 ? `Question ${at} of ${open.length}${what}` : name;
  return asOneLine(`${numbered} · ${asker} ${does}${task === undefined ? '' : ` about ${task}`}`);
}

function placeholderOf({ focus, sending }: ScreenState, { id, options }: Question): string {
  if (sending.has(id)) return 'Recording…';
  if (focus.at === 'arming') return '…';
  if (focus.at === 'reject') return 'Reason for turning it down';
  if (focus.at !== 'answer') return 'i or Enter: answer';
  return options.length > 0 ? 'Type an answer, or the number of an option' : 'Type an answer';
}
