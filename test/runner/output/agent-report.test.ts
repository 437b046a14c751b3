import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addSignal, mcpText, silentReport } from '../../../src/runner/output/agent-report.ts';
import type { AgentReport } from '../../../src/runner/output/agent-report.ts';
import type { AgentSignal } from '../../../src/runner/agents/output/agent-signal.ts';
import { knownAgent } from '../../../src/runner/agents/known-agents.ts';

const after = (...signals: AgentSignal[]): AgentReport => signals.reduce(addSignal, silentReport);

const limit: AgentSignal = { is: 'limit', message: 'try later', resetsAt: 5 };
const error: AgentSignal = { is: 'error', class: 'network', message: 'no route' };
const start: AgentSignal = { is: 'tool-start', id: '1', tool: 'edit', about: '' };
const end: AgentSignal = { is: 'tool-end', id: '1', isError: false };
const text: AgentSignal = { is: 'text', text: 'on we go' };

describe('what an agent says of itself', () => {
  it('has the tools it uses, until they end or its turn does', () => {
    expect(after(start, { ...start, id: '2' }).openTools).toEqual(['1', '2']);
    expect(after(start, { ...start, id: '2' }, end).openTools).toEqual(['2']);
    expect(after(start, { is: 'turn-over' }).openTools).toEqual([]);
  });

  it.each([text, start, end])('says that its turn is over, until $is comes', (signal) => {
    expect(after({ is: 'turn-over' }).isTurnOver).toBe(true);
    expect(after({ is: 'turn-over' }, { is: 'session', sessionId: 's' }).isTurnOver).toBe(true);
    expect(after({ is: 'turn-over' }, signal).isTurnOver).toBe(false);
  });

  it.each([text, start, end])('has what it was refused, until $is comes', (signal) => {
    const usage: AgentSignal = { is: 'usage', tokens: { input: 9, output: 9 } };
    expect(after(limit, error, usage, { is: 'turn-over' })).toMatchObject({
      limit: { message: 'try later', resetsAt: 5 },
      error: { class: 'network', message: 'no route' },
    });
    expect(after(limit, error, signal)).toMatchObject({ limit: undefined, error: undefined });
  });

  it.each<[AgentSignal, string]>([
    [{ is: 'mcp', status: 'failed', detail: 'spawn ENOENT' }, 'MCP server clifford: failed (spawn ENOENT)'],
    [{ is: 'mcp', status: 'failed', detail: 'failed' }, 'MCP server clifford: failed'],
    [{ is: 'mcp', status: 'pending' }, 'MCP server clifford: pending'],
    [{ is: 'mcp', status: 'connected' }, ''],
    [text, ''],
  ])('after %j names its connection as %j', (signal, said) => {
    expect(mcpText(after(signal))).toBe(said);
  });

  it('still has what went wrong with its connection while it tries again', () => {
    const failed: AgentSignal = { is: 'mcp', status: 'failed', detail: 'spawn ENOENT' };
    const again: AgentSignal = { is: 'mcp', status: 'pending' };
    expect(after(failed, again).mcp).toEqual({ status: 'failed', detail: 'spawn ENOENT' });
    expect(after(failed, again, { is: 'mcp', status: 'connected' }).mcp?.status).toBe('connected');
  });
});

const recordings = join(import.meta.dirname, '../../fixtures/agent-output');

/** What is left of a recorded run, of each agent that Clifford reads. */
function reportsOf(run: string): [string, AgentReport][] {
  return readdirSync(recordings).flatMap((version): [string, AgentReport][] => {
    const parser = knownAgent(version.slice(0, version.lastIndexOf('-')))?.createParser?.();
    const [out = [], err = []] = ['jsonl', 'stderr.txt'].map((kind) => {
      const file = join(recordings, version, `${run}.${kind}`);
      return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
    });
    if (!parser || out.length + err.length === 0) return [];
    // What it says on stderr comes before what it does about it.
    const said = [
      ...err.flatMap((line) => parser.errorLine?.(line) ?? []),
      ...out.flatMap((line) => parser.line(line) ?? []),
    ];
    return [[version, after(...said)]];
  });
}

describe('of what real agents print', () => {
  it.each(reportsOf('usage-limit'))('a usage limit is left: %s', (_, report) => {
    expect(report.limit).toBeDefined();
  });

  it.each([...reportsOf('rate-limit-once'), ...reportsOf('completed')])(
    'nothing is left when it went on: %s',
    (_, report) => {
      expect(report).toMatchObject({ limit: undefined, error: undefined, openTools: [] });
    },
  );

  it.each(reportsOf('unauthorized'))('a wrong key is left: %s', (_, report) => {
    expect(report).toMatchObject({ limit: undefined, error: { class: 'auth' } });
  });
});
