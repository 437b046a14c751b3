import { describe, expect, it } from 'vitest';
import { UnrecordedFacts } from '../../../src/runner/output/unrecorded-facts.ts';
import type { Candidate } from '../../../src/machines/legality.ts';
import { on } from '../../helpers/history.ts';

const used = (input: number, more: object = {}) =>
  on('demo/a', 'agent.usage', { runId: 'run-1', tokens: { input, output: 1 }, ...more });
const opened = (sessionId: string) => on('demo/a', 'agent.sessionopened', { runId: 'run-1', sessionId });
const called = (n: number) => on('demo/a', 'tool.requested', { callId: `c-${n}`, runId: 'run-1' });
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

  it('becomes several appends where it is much, in order', async () => {
    const many = Array.from({ length: 250 }, (_, n) => called(n));
    const facts = kept(...many);
    const taken: (readonly Candidate[])[] = [];
    await facts.recordWith(async (some) => taken.push(some));
    expect(taken.map(({ length }) => length)).toEqual([100, 100, 50]);
    expect(taken.flat()).toEqual(many);
  });

  it('gives up the oldest calls when it has become too much, and says how many', () => {
    const facts = kept(opened('s-1'), ...Array.from({ length: 5_000 }, (_, n) => called(n)), used(1));
    const { all } = facts;
    expect(all).toHaveLength(2_000);
    expect(all[0]).toEqual(opened('s-1'));
    expect(all[1]).toMatchObject({
      type: 'task.noted',
      subject: 'demo/a',
      data: {
        by: 'clifford',
        text: expect.stringMatching(/^3003 reports of calls of the agent are missing here/),
      },
    });
    expect(all.slice(2)).toEqual([...Array.from({ length: 1_997 }, (_, n) => called(3_003 + n)), used(1)]);
  });

  it('is its newest session', () => {
    expect(kept(opened('s-1'), opened('s-2'), opened('s-3')).all).toEqual([opened('s-3')]);
  });
});
