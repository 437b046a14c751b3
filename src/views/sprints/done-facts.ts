import type { TaskView } from './describe-sprint.ts';
import { verdictText } from '../../events/verdict-text.ts';
import { count } from '../../lib/text/count.ts';
import { visibleLine } from '../../lib/text/visible.ts';

/** What is known of the definition of done of a task: commands that fail, and its commit. */
export function doneFacts(task: TaskView): string[] {
  const { state, brokenBefore, commit } = task;
  const before = state === 'done' ? [] : brokenBefore;
  return [
    ...before.map((command) => `${visibleLine(command)} failed before the work`),
    ...doneRemarks(task),
    ...(commit && 'sha' in commit ? [`commit ${commit.sha.slice(0, 12)}`] : []),
  ];
}

/** What a human told no agent in time: one that only ends can be done without having heard it. */
export function unheardFacts({ unheard }: Pick<TaskView, 'unheard'>): string[] {
  return unheard === undefined ? [] : [`${count(unheard, 'note')} that no agent has heard`];
}

/** What of that somebody may have to do something about. */
export function doneRemarks(task: TaskView): string[] {
  const { state, failing, commit, unasked } = task;
  // What was refused is of no interest once the task is done: only what was excused.
  const left = state === 'done' ? failing.filter(({ verdict }) => verdict === 'broken-before') : failing;
  return [
    ...(unasked === 0 ? [] : [`${count(unasked, 'call')} without asking`]),
    ...unheardFacts(task),
    ...left.map(({ command, verdict }) => {
      const whose = verdict === undefined ? '' : ` (${verdictText[verdict]})`;
      return `${visibleLine(command)} failed${whose}`;
    }),
    ...(commit && 'reason' in commit ? [`no commit: ${visibleLine(commit.reason)}`] : []),
  ];
}
