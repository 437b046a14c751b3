import { expect, it } from 'vitest';
import { SignalWriter } from '../../../src/runner/output/signal-writer.ts';

it('what an agent has changed stands below the call, and of one that failed why', () => {
  const writer = new SignalWriter();
  const start = { is: 'tool-start', id: 'a', tool: 'edit', about: 'a.txt' } as const;
  const end = { is: 'tool-end', id: 'a', isError: false, diff: ['- b', '+ c'] } as const;
  expect(writer.signal(start) + writer.signal(end)).toBe('▸ edit a.txt\n  - b\n  + c\n');
  expect(writer.signal({ ...end, isError: true, why: 'no such file' })).toBe('  it failed: no such file\n');
  expect(writer.signal({ is: 'tool-end', id: 'a', isError: false })).toBe('');
  const fate = 'was refused by ann: no';
  expect(writer.signal({ ...end, isError: true, fate })).toBe('  it was refused by ann: no\n');
  expect(writer.signal({ ...end, fate: 'ran as changed by ann' })).toBe(
    '  it ran as changed by ann\n  - b\n  + c\n',
  );
});

it('a line of its own begins below words that came in parts, and no empty one is left after it', () => {
  const writer = new SignalWriter();
  const part = (text: string) => writer.signal({ is: 'text', text, isPart: true });
  expect(part('Let me ') + part('see.') + writer.line('a warning')).toBe('Let me see.\na warning\n');
  expect(writer.line('another') + part('Done.') + writer.endLine() + writer.endLine()).toBe(
    'another\nDone.\n',
  );
});
