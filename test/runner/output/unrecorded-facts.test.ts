import { describe, expect, it } from 'vitest';
import { UnrecordedFacts } from '../../../src/runner/output/unrecorded-facts.ts';
import type { Candidate } from '../../../src/machines/legality.ts';
import { on } from '../../helpers/history.ts';

const used = (input: number, more: object = {}) =>
  on('demo/a', 'agent.usage', { runId: 'run-1', tokens: { input, output: 1 }, ...more });
const opened = (sessionId: string) => on('demo/a', 'agent.sessionopened', { runId: 'run-1', sessionId });
const limited = on('demo/a', 'agent.limited', { runId: 'run-1' });

function kept(...facts: readonly Candidate[]) {
  const unrecorded = new UnrecordedFacts();
  for (const fact of facts) unrecorded.add(fact);
  return unrecorded;
}

describe('what an agent said and the log does not have', () => {
  it('is handed out in order, and again, as it was, until it is recorded', async () => {
    const facts = kept(opened('s-1'), used(1), limited, used(2));
    const said = [opened('s-1'), used(1), limited, used(2)];
    const taken: (readonly Candidate[])[] = [];
    const refused = facts.recordWith(async (some) => {
      taken.push(some);
      // While it is recorded, more is said: that is recorded next.
      facts.add(used(3));
      throw new Error('the log is busy');
    });
    await expect(refused).rejects.toThrow('the log is busy');
    expect(facts.all).toEqual([...said, used(3)]);
    await facts.recordWith(async (some) => taken.push(some));
    expect(taken).toEqual([said, said, [used(3)]]);
    expect(taken[1]).toBe(taken[0]);
    expect(facts.all).toEqual([]);
  });

  it('is the sum of its usage, however often it reports', () => {
    const many = Array.from({ length: 1_000 }, () => used(2, { costUsd: 0.25 }));
    const data = { runId: 'run-1', tokens: { input: 2_000, output: 1_000, cached: 0 }, costUsd: 250 };
    expect(kept(...many).all).toEqual([on('demo/a', 'agent.usage', data)]);
    expect(kept(used(1), used(1)).all[0]?.data).not.toHaveProperty('costUsd');
  });

  it('is its newest session', () => {
    expect(kept(opened('s-1'), opened('s-2'), opened('s-3')).all).toEqual([opened('s-3')]);
  });
});
