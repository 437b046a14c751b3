import { describe, expect, it, vi } from 'vitest';
import { createAgentOutput } from '../../../src/tui/text/agent-output.ts';
import { outputRows } from '../../../src/tui/text/output-rows.ts';

describe('agent output', () => {
  it('joins chunks that end inside a line or an escape sequence', () => {
    const output = createAgentOutput();
    for (const chunk of ['one \u001B[3', '1mred\u001B[0m\ntw', 'o']) output.append('parser', chunk);
    expect(output.read()).toEqual({ task: 'parser', dropped: 0, lines: ['one red', 'two'] });
  });

  it('shows the task that wrote last, and each task by name', () => {
    const output = createAgentOutput();
    output.append('parser', 'p\n');
    output.append('docs', 'd\n');
    expect(output.read()?.task).toBe('docs');
    expect(output.read('parser')?.lines).toEqual(['p']);
    expect(output.read('release')).toBeUndefined();
  });

  it('keeps the last lines and counts those it dropped', () => {
    const output = createAgentOutput({ maxLines: 2 });
    for (let line = 0; line < 5; line += 1) output.append('parser', `${line}\n`);
    expect(output.read()).toEqual({ task: 'parser', dropped: 3, lines: ['3', '4'] });
  });

  it('keeps the tail of a line that never ends', () => {
    const output = createAgentOutput();
    for (let chunk = 0; chunk < 100; chunk += 1) output.append('parser', 'x'.repeat(1_000));
    output.append('parser', 'end');
    const [line = ''] = output.read()?.lines ?? [];
    expect(line.length).toBeLessThanOrEqual(4_000);
    expect(line.endsWith('xend')).toBe(true);
  });

  it('tells until the listener leaves', () => {
    const output = createAgentOutput();
    const listener = vi.fn<() => void>();
    const leave = output.subscribe(listener);
    output.append('parser', 'a');
    output.append('parser', '');
    leave();
    output.append('parser', 'b');
    expect(listener).toHaveBeenCalledOnce();
  });
});

describe('outputRows', () => {
  const output = { task: 'parser', dropped: 10, lines: ['a', 'long long line', 'b', 'c'] };

  it('shows the newest rows', () => {
    expect(outputRows(output, { end: undefined, width: 9, height: 3 })).toEqual({
      rows: ['line', 'b', 'c'],
      newer: 0,
    });
  });

  it('shows the rows above a line and counts what came after', () => {
    expect(outputRows(output, { end: 12, width: 9, height: 9 })).toEqual({
      rows: ['a', 'long long', 'line'],
      newer: 2,
    });
  });

  it('shows nothing of lines that were dropped', () => {
    expect(outputRows(output, { end: 5, width: 9, height: 9 })).toEqual({ rows: [], newer: 4 });
  });
});
