import { describe, expect, it } from 'vitest';
import type { Approval } from '../../../src/events/approval.ts';
import {
  byRisk,
  isWorst,
  otherRisks,
  riskOf,
  risks,
  riskText,
  type Risk,
} from '../../../src/views/calls/risk.ts';
import { approval } from '../../helpers/approval.ts';

const trusted = (annotations: Approval['annotations']): Partial<Approval> => ({ trust: 'full', annotations });
const own = (tool: string): Partial<Approval> => ({ server: '@opencode', tool, isOwn: true });

describe('what a yes may lead to', () => {
  it.each<[string, Partial<Approval>, Risk]>([
    [
      'a tool that is not what it was, harmless as it calls itself',
      { ...trusted({ readOnlyHint: true }), change: '-a\n+b' },
      'changed',
    ],
    ['a tool that says it destroys', trusted({ destructiveHint: true }), 'destroys'],
    ['the same of a server that is not believed', { annotations: { destructiveHint: true } }, 'destroys'],
    [
      'a tool that only reads, whatever else it says',
      trusted({ readOnlyHint: true, destructiveHint: true }),
      'reads',
    ],
    ['the same of a server that is not believed', { annotations: { readOnlyHint: true } }, 'unsaid'],
    ['a tool that reads elsewhere', trusted({ readOnlyHint: true, openWorldHint: true }), 'outside'],
    ['a tool that destroys nothing', trusted({ destructiveHint: false }), 'edits'],
    ['a tool that says nothing', trusted({}), 'unsaid'],
    ["an agent's own delete", own('delete'), 'destroys'],
    ["an agent's own command", own('execute'), 'commands'],
    ["an agent's own command that may destroy", { ...own('execute'), destroys: true }, 'destroys'],
    ["an agent's own command that sends something out", { ...own('execute'), sends: true }, 'sends'],
    ["an agent's own command with others' rights", { ...own('execute'), rights: true }, 'rights'],
    ["an agent's own command that does both", { ...own('execute'), sends: true, destroys: true }, 'destroys'],
    ["an agent's own edit", own('edit'), 'edits'],
    ["an agent's own fetch", own('fetch'), 'outside'],
    ["an agent's own search", own('search'), 'reads'],
    ["an agent's own tool of another kind", own('toString'), 'unsaid'],
  ])('%s', (_what, over, risk) => {
    expect(riskOf({ ...approval, ...over })).toBe(risk);
  });

  it('of a question is nothing', () => {
    expect(riskOf(undefined)).toBe('none');
  });

  it('is compared: the worst comes first', () => {
    const all: Risk[] = [
      'none',
      'reads',
      'edits',
      'outside',
      'unsaid',
      'commands',
      'rights',
      'sends',
      'destroys',
    ];
    expect([...all, 'changed' as const].toSorted(byRisk)).toEqual(['changed', ...all.toReversed()]);
  });

  it('names what else is as great, and has two that are the worst', () => {
    const others = (parts: Partial<Approval>) => otherRisks({ ...approval, ...own('execute'), ...parts });
    expect(others({ destroys: true })).toEqual([]);
    expect(others({ destroys: true, sends: true, rights: true })).toEqual([
      'sends something out',
      "with another user's rights",
    ]);
    expect(otherRisks(undefined)).toEqual([]);
    expect(risks.filter(isWorst)).toEqual(['changed', 'destroys']);
  });

  it('has words for people', () => {
    expect(riskText({ risk: 'destroys', kind: 'approval' })).toBe('may destroy');
    expect(riskText({ risk: 'none', kind: 'clarification' })).toBe('question');
    expect(riskText({ risk: 'none', kind: 'prompt' })).toBe('prompt');
  });
});
