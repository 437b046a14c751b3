import { Box, Text } from 'ink';
import { stripAgentLine } from '../../lib/text/sanitise.ts';
import type { Question } from '../../views/sprints/sprint-view.ts';
import { BarPane } from '../panes/bar-pane.tsx';
import { QuestionRule } from '../panes/question-rule.tsx';
import { SpanRow } from '../panes/span-row.tsx';
import type { Layout } from '../terminal/layout.ts';
import type { ScreenState } from '../screen/screen-state.ts';
import { stillWaitsText } from './past-remarks.ts';
import { colors } from '../terminal/theme.ts';
import type { Span } from '../text/spans.ts';

type RecordedQuestionProps = {
  readonly state: ScreenState;
  readonly question: Question;
  readonly rows: readonly (readonly Span[])[];
  readonly layout: Layout;
};

/** A question as it waited then, and what was said to it later. It takes no answer. */
export function RecordedQuestion({ state, question, rows, layout }: RecordedQuestionProps) {
  const { columns, questionRows } = layout;
  const top = Math.min(state.questionTop, Math.max(0, rows.length - questionRows));
  const { past } = state;
  const closed = past?.outcomes.get(question.id);
  const outcome = closed === undefined && past ? stillWaitsText(past) : stripAgentLine(closed ?? '');
  return (
    <Box flexDirection="column" flexShrink={0}>
      <QuestionRule state={state} question={question} top={top} count={rows.length} layout={layout} />
      <BarPane width={columns} rows={questionRows} isPast>
        {rows.slice(top, top + questionRows).map((spans, at) => (
          <SpanRow key={top + at} spans={spans} />
        ))}
      </BarPane>
      <Text wrap="truncate" color={colors.ok}>
        {` ${outcome}`}
      </Text>
    </Box>
  );
}
