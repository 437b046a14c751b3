import { Box, Text } from 'ink';
import { count } from '../../lib/text/count.ts';
import { fit } from '../../lib/text/cells.ts';
import { requestTitle } from '../../views/requests/request-title.ts';
import type { Question } from '../../views/sprints/sprint-view.ts';
import { choosable } from '../drafts/form-state.ts';
import { BAR_WIDTH } from '../feed/use-asked.ts';
import { isSending } from '../screen/current-question.ts';
import type { ScreenState } from '../screen/screen-state.ts';
import type { Layout } from '../terminal/layout.ts';
import { BarPane } from './bar-pane.tsx';
import { DecidingKey } from './hints.tsx';
import { keysToAnswer } from './question-box.tsx';
import { QuestionRule } from './question-rule.tsx';

type FoldedQuestionProps = {
  readonly state: ScreenState;
  readonly question: Question;
  readonly layout: Layout;
};

/** What is asked while keys move elsewhere, where all of it would leave little room for that: what it is, and how to go there. */
export function FoldedQuestion({ state, question, layout }: FoldedQuestionProps) {
  const { columns, questionRows, answerRows } = layout;
  return (
    <Box flexDirection="column" flexShrink={0}>
      <QuestionRule state={state} question={question} top={0} count={0} layout={layout} />
      <BarPane width={columns} rows={questionRows + answerRows}>
        <Text bold>{fit(requestTitle(question), columns - BAR_WIDTH)}</Text>
        <WayThere state={state} question={question} />
      </BarPane>
    </Box>
  );
}

/** Whether it says which key leads there. */
export function namesWayThere(state: ScreenState, question: Question | undefined): boolean {
  return !isSending(state) && (state.mayApprove || question?.approval === undefined);
}

function WayThere({ state, question }: Omit<FoldedQuestionProps, 'layout'>) {
  const { approval, questions = [] } = question;
  if (!namesWayThere(state, question))
    return <Text dimColor>{isSending(state) ? 'Recording…' : 'A human elsewhere allows it'}</Text>;
  const choice = approval ? '' : whatToChoose(state, questions.length);
  return (
    <Text wrap="truncate">
      <Text dimColor>{choice === '' ? '' : `${choice} · `}</Text>
      <DecidingKey hint={approval ? ['i', 'decide'] : [keysToAnswer(state), 'answer']} />
    </Text>
  );
}

/** How many questions a form has, or options a question. */
function whatToChoose(state: ScreenState, questions: number): string {
  if (questions > 1) return count(questions, 'question');
  const { options } = choosable(state);
  return options.length > 0 ? count(options.length, 'option') : '';
}
