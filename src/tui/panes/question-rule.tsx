import type { Layout } from '../screen/layout.ts';
import { Rule } from './rule.tsx';
import { stripAgentLine } from '../../lib/text/sanitise.ts';
import type { ScreenState } from '../screen/screen-state.ts';
import type { Question } from '../../views/sprint-view.ts';
import { colors } from '../screen/theme.ts';

type QuestionRuleProps = {
  readonly state: ScreenState;
  readonly question: Question;
  /** Lines above the first that is shown, and how many there are. */
  readonly top: number;
  readonly count: number;
  readonly layout: Layout;
};

/** The line above a question: who asks what, and which part of it is shown. */
export function QuestionRule({ state, question, top, count, layout }: QuestionRuleProps) {
  const { columns, questionRows, isNarrow, tasksWidth } = layout;
  const end = Math.min(top + questionRows, count);
  return (
    <Rule
      width={columns}
      title={titleOf(state, question)}
      note={count > questionRows ? `lines ${top + 1}–${end} of ${count}` : undefined}
      color={colors.question}
      jointsAt={isNarrow ? undefined : [tasksWidth]}
    />
  );
}

/** How each kind is called, and what its asker does. */
const kinds = {
  help: ['Question', 'asks'],
  clarification: ['Question', 'asks'],
  approval: ['Approval', 'asks for approval'],
  prompt: ['Prompt', 'waits at a prompt'],
} as const satisfies Record<Question['kind'], readonly [name: string, does: string]>;

function titleOf({ sprint: { open } }: ScreenState, { id, asker, task, kind }: Question): string {
  const [name, does] = kinds[kind];
  const at = open.findIndex((other) => other.id === id) + 1;
  // Counted are all kinds together.
  const what = name === 'Question' ? '' : `, ${name.toLowerCase()}`;
  const numbered = open.length > 1 ? `Question ${at} of ${open.length}${what}` : name;
  return stripAgentLine(`${numbered} · ${asker} ${does}${task === undefined ? '' : ` about ${task}`}`);
}
