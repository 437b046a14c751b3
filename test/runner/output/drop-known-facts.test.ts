import { describe, expect, it } from 'vitest';
import type { OutputParser } from '../../../src/runner/agents/agent-adapter.ts';
import type { AgentSignal } from '../../../src/runner/agents/output/agent-signal.ts';
import { dropKnownFacts } from '../../../src/runner/output/drop-known-facts.ts';
import type { KnownSession } from '../../../src/runner/output/drop-known-facts.ts';

const nothingKnown: KnownSession = { sessionId: undefined, used: undefined };

/** A parser whose lines are signals as JSON, where `hello` is no line of it. */
const told: Required<OutputParser> = {
  line: (text) => (text === 'hello' ? undefined : [JSON.parse(text)]),
  longLine: (text) => [JSON.parse(text)],
  errorLine: (text) => [JSON.parse(text)],
  logsOnStderr: true,
  queued: () => [],
  end: () => [session('s-1'), total(100, 10, 1)],
};

function session(sessionId: string): AgentSignal {
  return { is: 'session', sessionId };
}

function total(input: number, output: number, cached?: number): AgentSignal {
  const tokens = { input, output, ...(cached === undefined ? {} : { cached }) };
  return { is: 'usage', tokens, isSessionTotal: true };
}

function since(input: number, output: number, cached: number): AgentSignal {
  return { is: 'usage', tokens: { input, output, cached } };
}

/** What is left of signals that are said one after the other. */
function news(known: KnownSession, ...signals: readonly AgentSignal[]): AgentSignal[] {
  const { line } = dropKnownFacts(told, known);
  return signals.flatMap((signal) => line(JSON.stringify(signal)) ?? []);
}

describe('of a session', () => {
  it('the name is told once', () => {
    expect(news(nothingKnown, session('s-1'), session('s-1'))).toEqual([session('s-1')]);
  });

  it('the name is not told where the log has it, and another one is', () => {
    const known = { ...nothingKnown, sessionId: 's-1' };
    expect(news(known, session('s-1'), session('s-2'), session('s-2'))).toEqual([session('s-2')]);
  });
});

describe('of what a whole session used', () => {
  it('all is told of one that begins', () => {
    expect(news(nothingKnown, total(100, 10, 5))).toEqual([since(100, 10, 5)]);
  });

  it('what earlier runs used is not told again', () => {
    const known = { ...nothingKnown, used: { input: 100, output: 10, cached: 5 } };
    expect(news(known, total(150, 30, 5))).toEqual([since(50, 20, 0)]);
  });

  it('each total tells only what came since the one before', () => {
    expect(news(nothingKnown, total(100, 10), total(130, 15, 7))).toEqual([
      since(100, 10, 0),
      since(30, 5, 7),
    ]);
  });

  it('a total with nothing new tells nothing', () => {
    expect(news(nothingKnown, total(100, 10, 5), total(100, 10, 5), total(0, 0))).toEqual([
      since(100, 10, 5),
    ]);
  });

  it('a total that has become smaller takes nothing back, and counts nothing twice', () => {
    expect(news(nothingKnown, total(100, 10), total(20, 12), total(110, 12))).toEqual([
      since(100, 10, 0),
      since(0, 2, 0),
      since(10, 0, 0),
    ]);
  });

  it('the price stays with it', () => {
    const priced = { ...total(100, 10, 5), costUsd: 0.5 } as AgentSignal;
    expect(news(nothingKnown, priced)).toEqual([{ ...since(100, 10, 5), costUsd: 0.5 }]);
  });
});

describe('a parser without what is known', () => {
  it('lets everything else through, and says of a line that is none of its own that it is none', () => {
    const others: AgentSignal[] = [
      { is: 'usage', tokens: { input: 1, output: 1 } },
      { is: 'text', text: 'x' },
    ];
    expect(news({ sessionId: 's-1', used: { input: 9, output: 9, cached: 9 } }, ...others)).toEqual(others);
    expect(dropKnownFacts(told, nothingKnown).line('hello')).toBeUndefined();
  });

  it('remembers what it heard, wherever it was said', () => {
    const { line, longLine, errorLine, end } = dropKnownFacts(told, nothingKnown);
    expect(line(JSON.stringify(session('s-1')))).toEqual([session('s-1')]);
    expect(longLine?.(JSON.stringify(session('s-1')))).toEqual([]);
    expect(errorLine?.(JSON.stringify(total(60, 10, 0)))).toEqual([since(60, 10, 0)]);
    expect(end?.()).toEqual([since(40, 0, 1)]);
  });

  it('hears no more than the other one', () => {
    const { line } = told;
    expect(Object.keys(dropKnownFacts({ line }, nothingKnown))).toEqual(['line']);
  });
});
