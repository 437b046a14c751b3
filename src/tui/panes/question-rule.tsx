import { useMemo } from 'react';
import { filesInCall } from '../../events/call-files/files-in-call.ts';
import { cellsOf } from '../../lib/text/cells.ts';
import type { Layout } from '../terminal/layout.ts';
import { Rule } from './rule.tsx';
import { withinProject } from '../../views/calls/within-project.ts';
import { escapeAgentLine, stripAgentLine } from '../../lib/text/sanitise.ts';
import { isElsewhere } from '../screen/current-question.ts';
import type { ScreenState } from '../screen/screen-state.ts';
import type { Question } from '../../views/sprints/sprint-view.ts';
import { colors } from '../terminal/theme.ts';

/** Cells of a rule that are no title and no note. */
const ROOM_AROUND = 5;

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
  const note = count > questionRows ? `lines ${top + 1}–${end} of ${count}` : undefined;
  const room = columns - ROOM_AROUND - (note === undefined ? 0 : cellsOf(note) + 3);
  const wish = useMemo(() => wishOf(question), [question]);
  const titles = titlesOf(state, question, wish);
  return (
    <Rule
      width={columns}
      title={titles.find((title) => cellsOf(title) <= room) ?? titles.at(-1)}
      note={note}
      color={state.past ? undefined : colors.question}
      isFocused={!state.past && !isElsewhere(state)}
      jointsAt={isNarrow ? undefined : [tasksWidth]}
    />
  );
}

/** How each kind is called, and what its asker does. */
const kinds = {
  help: ['Question', 'asks about'],
  clarification: ['Question', 'asks about'],
  approval: ['Approval', 'wants to call a tool for'],
  prompt: ['Prompt', 'waits at a prompt in'],
} as const satisfies Record<Question['kind'], readonly [name: string, does: string]>;

/** What an asker does, without what leads to its task. */
function withoutTask(does: string): string {
  return does.replace(/ \w+$/, '');
}

/** What an agent wants to do with a tool of its own, as far as a title has words for it. */
function wishOf({ approval, folder }: Question): string | undefined {
  if (!approval?.isOwn) return undefined;
  const { tool, args } = approval;
  if (tool === 'execute') return 'wants to run a command for';
  if (tool !== 'edit') return undefined;
  const [path, ...others] = new Set(filesInCall(args).changes.map((change) => change.path));
  if (path === undefined || others.length > 0) return undefined;
  const name = folder === undefined ? path : withinProject(folder, path);
  return `wants to change ${escapeAgentLine(name)} for`;
}

/** Who asks what for which task: the fullest first. */
function titlesOf(
  { sprint: { open } }: ScreenState,
  { id, asker, task, kind }: Question,
  wish: string | undefined,
): string[] {
  const [name, does] = kinds[kind];
  const at = open.findIndex((other) => other.id === id) + 1;
  // Counted are all kinds together.
  const place = name === 'Question' ? ` ${at} of ${open.length}` : `, ${at} of ${open.length} open`;
  const numbered = open.length > 1 ? name + place : name;
  const short = open.length > 1 ? `${name} ${at}/${open.length}` : name;
  const what = (words: string) => (task === undefined ? withoutTask(words) : `${words} ${task}`);
  const both = task === undefined ? asker : `${asker}, ${task}`;
  const about = task ?? asker;
  return [
    ...(wish === undefined
      ? []
      : [what(wish), withoutTask(wish)].map((words) => `${numbered} · ${asker} ${words}`)),
    `${numbered} · ${asker} ${what(does)}`,
    `${numbered} · ${both}`,
    `${numbered} · ${about}`,
    `${short} · ${about}`,
  ].map(stripAgentLine);
}
