import { ownCall } from '../support/own-call.ts';
import { describe, expect, it } from 'vitest';
import { eventCatalog } from '../../../src/events/catalog.ts';
import type { AgentSignal } from '../../../src/runner/agents/output/agent-signal.ts';
import { factOf } from '../../../src/runner/output/signal-facts.ts';
import { tolerantParser } from '../../../src/runner/output/tolerant-parser.ts';

/** What comes of signals, wherever they are said. */
function heard(...signals: readonly AgentSignal[]): readonly AgentSignal[] {
  const parser = tolerantParser({ line: () => signals, errorLine: () => signals, end: () => signals });
  const all = [parser.line(''), parser.errorLine?.(''), parser.end?.()];
  expect(all).toEqual([all[0], all[0], all[0]]);
  return all[0] ?? [];
}

const tokens = (input: number, output = 0): AgentSignal => ({ is: 'usage', tokens: { input, output } });
const limit = (resetsAt: number): AgentSignal => ({ is: 'limit', message: 'later', resetsAt });

describe('a signal of an agent', () => {
  it.each<AgentSignal>([
    { is: 'usage', tokens: { input: 1, output: 2, cached: 3 }, costUsd: 0.5, isSessionTotal: true },
    { is: 'session', sessionId: 's-1' },
    { is: 'limit', message: 'later', resetsAt: Date.UTC(2030, 0) },
    { is: 'error', class: 'auth', message: 'wrong key' },
    { is: 'mcp', status: 'failed', detail: 'spawn ENOENT' },
    { is: 'tool-start', id: 't-1', tool: 'shell', about: 'ls' },
    { is: 'turn-over' },
  ])('that makes sense stays as it is: %j', (signal) => {
    expect(heard(signal)).toEqual([signal]);
  });

  it.each<[string, AgentSignal, AgentSignal[]]>([
    ['half a token', tokens(1.4, 2.5), [tokens(1, 3)]],
    ['more tokens than there are', tokens(1e300), [tokens(Number.MAX_SAFE_INTEGER)]],
    ['tokens that are no number', tokens(-1, Number.NaN), [tokens(0)]],
    ['money that is no number', { ...tokens(1), costUsd: Infinity } as AgentSignal, [tokens(1)]],
    ['no session', { is: 'session', sessionId: '' }, []],
    ['a session that would be a flag', { is: 'session', sessionId: '--yolo' }, []],
    ['a session that would be a path', { is: 'session', sessionId: '../../etc' }, []],
    ['a session of two words', { is: 'session', sessionId: 's-1 --yolo' }, []],
    ['a session with an endless name', { is: 'session', sessionId: 's'.repeat(513) }, []],
    ['an end that no calendar has', limit(1e23), [{ is: 'limit', message: 'later' }]],
    ['an end that is no date of the log', limit(Date.UTC(12_000, 0)), [{ is: 'limit', message: 'later' }]],
  ])('that names %s is put right, and can be recorded', (_, signal, sound) => {
    expect(heard(signal)).toEqual(sound);
    const facts = sound.flatMap((each) => factOf(each, { runId: 'run-1', subject: 'demo/a', ownCall }) ?? []);
    const read = facts.map(({ type, data }) => eventCatalog[type].data.safeParse(data).success);
    expect(read).toEqual(sound.map(() => true));
  });

  it('has a message that can be read to its end', () => {
    const message = 'x'.repeat(100_000);
    const cut = `${'x'.repeat(1_999)}…`;
    expect(
      heard(
        { is: 'limit', message },
        { is: 'error', class: 'other', message },
        { is: 'mcp', status: 'failed', detail: message },
      ),
    ).toMatchObject([{ message: cut }, { message: cut }, { detail: cut }]);
  });
});
