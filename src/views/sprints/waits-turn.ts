import type { SprintState } from '../../machines/project-state.ts';
import { detailOf, type StatusWord } from '../../machines/status-words.ts';
import { isRunByLog } from './standing.ts';

type TaskInTurn = {
  readonly id: string;
  readonly state: StatusWord;
  readonly byHandSince: string | undefined;
  readonly waitsFor: readonly string[];
};

type Behind = { readonly behind?: readonly string[] };

/**
 * The tasks of a sprint that is run, and with those that could be begun and are not, although as many are not at work at once as it
 * was started for: what keeps them. The runner has begun those, and works on none beside them that would change their files.
 */
export function withTurns<T extends TaskInTurn>(
  { machine, runner, tasks }: Pick<SprintState, 'machine' | 'runner' | 'tasks'>,
  views: readonly T[],
): (T & Behind)[] {
  const begun = views.filter(({ state, byHandSince }) => isBegun(state) && byHandSince === undefined);
  const working = begun.filter(({ state }) => state === 'active');
  const isRun =
    runner !== undefined && isRunByLog({ left: runner.left }) && detailOf(machine.value) !== 'paused';
  if (!isRun || begun.length === 0 || working.length >= (runner.options?.parallel ?? 1)) return [...views];
  const behind = begun.map(({ id }) => id);
  return views.map((view) => {
    const task = tasks.get(view.id);
    // One that has a worktree is being prepared, and one that is offered waits for another worker.
    const isLeft = task?.worktree === undefined && task?.offer === undefined;
    return view.state === 'pending' && view.waitsFor.length === 0 && isLeft ? { ...view, behind } : view;
  });
}

/** Why such a task is not begun, the fullest text first; `[]`: it is no such task, or nobody runs its sprint. */
export function turnTexts({ behind = [] }: Behind, hasRunner: boolean): readonly string[] {
  const [first, ...others] = hasRunner ? behind : [];
  if (first === undefined) return [];
  const named = others.length === 0 ? first : `${first} +${others.length}`;
  return [`waits its turn behind ${named}`, 'waits its turn'];
}

function isBegun(state: StatusWord): boolean {
  return state === 'active' || state === 'blocked';
}
