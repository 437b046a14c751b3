import { Box, Text } from 'ink';
import { hasBorder, type Layout } from '../terminal/layout.ts';
import type { ScreenState } from '../screen/screen-state.ts';
import { currentDraft, isTyping } from '../drafts/drafts.ts';
import type { EndingAct } from '../screen/focus.ts';
import { colors } from '../terminal/theme.ts';
import { actTitle } from '../text/act-lines.ts';
import { cutRows } from '../text/cut-rows.ts';
import { AnswerBox } from './answer-box.tsx';
import { Rule } from './rule.tsx';

type ActBoxProps = {
  readonly state: ScreenState;
  readonly act: EndingAct;
  readonly lines: readonly string[];
  readonly layout: Layout;
};

/** What is being decided: what becomes of it, and the box for the reason, or for a note. */
export function ActBox({ state, act, lines, layout }: ActBoxProps) {
  const { columns, questionRows, answerRows, isNarrow, tasksWidth } = layout;
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Rule
        width={columns}
        title={actTitle(act)}
        color={colors.warning}
        isFocused
        jointsAt={isNarrow ? undefined : [tasksWidth]}
      />
      <Box flexDirection="column" height={questionRows} overflow="hidden">
        {cutRows(lines, questionRows, (text) => text).map((line, at) => (
          <Text key={at} wrap="truncate">
            {` ${line}`}
          </Text>
        ))}
      </Box>
      <AnswerBox
        draft={currentDraft(state)}
        isFocused={isTyping(state)}
        color={colors.warning}
        placeholder={placeholderOf(act.act, isTyping(state))}
        width={columns}
        rows={answerRows}
        hasBorder={hasBorder(layout)}
      />
    </Box>
  );
}

function placeholderOf(act: EndingAct['act'], isTyped: boolean): string {
  if (act === 'note') return 'What the agent is told';
  if (act === 'stop' || act === 'start') return '';
  return isTyped ? 'Reason, if you like' : 'No reason given';
}
