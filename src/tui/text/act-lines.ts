import { wrap } from '../../lib/text/cells.ts';
import { stripAgentLine } from '../../lib/text/sanitise.ts';
import type { ScreenState } from '../screen/screen-state.ts';
import type { EndingAct } from '../screen/focus.ts';

/** What ends a task, as a title: `Skip docs`. */
export function actTitle({ act, task }: EndingAct): string {
  return `${act === 'skip' ? 'Skip' : 'Cancel'} ${stripAgentLine(task)}`;
}

/** What becomes of a task that is left out or ended, in lines of this width. */
export function actLines({ act, task }: EndingAct, { sprint }: ScreenState, width: number): string[] {
  const view = sprint.tasks.find(({ id }) => id === task);
  const needing = sprint.tasks.filter(
    ({ dependsOn, state }) => state === 'pending' && dependsOn.includes(task),
  );
  const names = needing.map(({ id }) => stripAgentLine(id)).join(', ');
  const asks = sprint.open.some((question) => question.task === task);
  return [
    act === 'skip' ? 'It counts as done without being done.' : 'It ends for good, without being done.',
    ...(view?.agent === undefined ? [] : ['Its agent is ended.']),
    ...(asks ? ['What it asks is closed without an answer.'] : []),
    ...(names === '' ? [] : [act === 'skip' ? `May start then: ${names}` : `Never starts then: ${names}`]),
  ].flatMap((text) => wrap(text, width));
}
