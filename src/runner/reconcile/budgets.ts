import type { SprintState } from '../../machines/project-state.ts';
import type { TaskState } from '../../machines/task-state.ts';
import type { Usage } from '../../machines/usage.ts';
import type { Config } from '../../workflow/config/config-schema.ts';
import type { RunnerView } from './runner-view.ts';

/** What budgets are held against. */
type BudgetInputs = Pick<RunnerView, 'now' | 'spending'> & {
  readonly policy: { readonly budget: Config['budget'] };
};

/**
 * Why no agent may work on a task: a budget that is used up, with the key to raise. `undefined`: there is
 * something left of each.
 */
export function overspending(
  { now, spending, policy: { budget } }: BudgetInputs,
  sprint: Pick<SprintState, 'usage'>,
  task: Pick<TaskState, 'id' | 'usage'>,
): string | undefined {
  const today = new Date(now).toISOString().slice(0, 10);
  return (
    usedUp(`task ${task.id} has used up its budget`, 'task', task.usage, budget.task) ??
    usedUp('the sprint has used up its budget', 'sprint', sprint.usage, budget.sprint) ??
    (spending.day === today
      ? usedUp(`the budget of ${today} (UTC) is used up`, 'day', spending.usage, budget.day)
      : undefined)
  );
}

function usedUp(
  what: string,
  key: keyof Config['budget'],
  { input, output, costUsd }: Usage,
  { tokens, usd }: Config['budget']['task'],
): string | undefined {
  const used = input + output;
  if (tokens !== undefined && used >= tokens)
    return `${what}: ${used} of ${tokens} tokens; raise budget.${key}.tokens to go on`;
  if (usd !== undefined && costUsd >= usd)
    return `${what}: $${costUsd.toFixed(2)} of $${usd}; raise budget.${key}.usd to go on`;
  return undefined;
}
