import { describe, expect, it } from 'vitest';
import type { Usage } from '../../../src/machines/usage.ts';
import { noUsage } from '../../../src/machines/usage.ts';
import { overspending } from '../../../src/runner/reconcile/budgets.ts';
import { configSchema } from '../../../src/workflow/config/config-schema.ts';

const now = Date.parse('2026-03-01T23:59:59.999Z');

/** What is said of budgets when this was used. */
function said(
  budget: object,
  { task = noUsage, sprint = noUsage, day = noUsage, on = '2026-03-01' }: Used = {},
): string | undefined {
  const books = {
    now,
    spending: { day: on, usage: day },
    policy: { budget: configSchema.parse({ budget }).budget },
  };
  return overspending(books, { usage: sprint }, { id: 'a', usage: task });
}
type Used = { task?: Usage; sprint?: Usage; day?: Usage; on?: string };

const used: Usage = { input: 700, output: 300, costUsd: 0.5 };

describe('a budget', () => {
  it('says nothing where there is none', () => {
    expect(said({}, { task: used, sprint: used, day: used })).toBeUndefined();
  });

  it.each<[object, Used, string]>([
    [
      { task: { tokens: 1_000 } },
      { task: used },
      'task a has used up its budget: 1000 of 1000 tokens; raise budget.task.tokens to go on',
    ],
    [
      { task: { usd: 0.25 } },
      { task: used },
      'task a has used up its budget: $0.50 of $0.25; raise budget.task.usd to go on',
    ],
    [
      { sprint: { tokens: 900 } },
      { sprint: used },
      'the sprint has used up its budget: 1000 of 900 tokens; raise budget.sprint.tokens to go on',
    ],
    [
      { day: { usd: 0.5 } },
      { day: used },
      'the budget of 2026-03-01 (UTC) is used up: $0.50 of $0.5; raise budget.day.usd to go on',
    ],
  ])('%j that is used up names value, limit and key', (budget, usage, text) => {
    expect(said(budget, usage)).toBe(text);
  });

  it.each<[object, Used]>([
    [{ task: { tokens: 1_001, usd: 0.51 } }, { task: used }],
    [{ task: { tokens: 10 } }, { sprint: used, day: used }],
    [{ day: { tokens: 10 } }, { day: used, on: '2026-02-28' }],
  ])('%j with something left says nothing', (budget, usage) => {
    expect(said(budget, usage)).toBeUndefined();
  });
});
