import { expect, it } from 'vitest';
import { LineGuard } from '../../../src/runner/output/line-guard.ts';
import { SignalWriter } from '../../../src/runner/output/signal-writer.ts';

it('what an agent has changed stands below the call, and of one that failed why', () => {
  const writer = new SignalWriter();
  const start = { is: 'tool-start', id: 'a', tool: 'edit', about: 'a.txt' } as const;
  const end = { is: 'tool-end', id: 'a', isError: false, diff: ['- b', '+ c'] } as const;
  expect(writer.signal(start) + writer.signal(end)).toBe('▸ edit a.txt\n  - b\n  + c\n');
  expect(writer.signal({ ...end, isError: true, why: 'no such file' })).toBe('  it failed: no such file\n');
  expect(writer.signal({ is: 'tool-end', id: 'a', isError: false })).toBe('');
  const fate = 'was denied by ann: no';
  expect(writer.signal({ ...end, isError: true, fate })).toBe('  it was denied by ann: no\n');
  expect(writer.signal({ ...end, fate: 'ran as changed by ann' })).toBe(
    '  it ran as changed by ann\n  - b\n  + c\n',
  );
});

it('a line of its own begins below words that came in parts, and no empty one is left after it', () => {
  const lines = new LineGuard();
  const writer = new SignalWriter({ lines });
  const part = (text: string) => writer.signal({ is: 'text', text, isPart: true });
  expect(part('Let me ') + part('see.') + writer.line('a warning')).toBe('Let me see.\na warning\n');
  expect(writer.line('another') + part('Done.') + lines.endLine() + lines.endLine()).toBe('another\nDone.\n');
});

it('a line of its own has no colour that an agent has left open, and what comes behind it has none either', () => {
  const lines = new LineGuard();
  const writer = new SignalWriter({ lines });
  const call = () => writer.signal({ is: 'tool-start', id: 'a', tool: 'Bash', about: '' });
  const said = (text: string) => writer.signal({ is: 'text', text, isPart: true });
  expect(call()).toBe('▸ Bash\n');
  for (const open of ['\u001B[31m', '\u001B[3', '\u001B]8;;x', '\u009B7m']) {
    said(`one${open}`);
    expect(call()).toBe('\n\u001B[0m▸ Bash\n');
    said('two\n');
    expect(call()).toBe('▸ Bash\n');
  }
  lines.foreign('\u001B[31merror\n', 'stderr');
  expect(call()).toBe('\u001B[0m▸ Bash\n');
});

it('a line of its own has no colour either that was held back, and written below another one', () => {
  const lines = new LineGuard();
  const held = [lines.foreign('\u001B[31m ', 'stderr'), lines.ours('▸ one\n')];
  const after = [lines.foreign(' more\n', 'stderr'), lines.ours('▸ two\n')];
  expect([...held, ...after]).toEqual(['', '▸ one\n', ' \u001B[31m  more\n', '\u001B[0m▸ two\n']);
  const released = [lines.foreign('\u001B[31m ', 'stderr'), lines.ours('▸ one\n'), lines.release('stderr')];
  expect([...released, lines.ours('▸ two\n')]).toEqual(['', '▸ one\n', '\u001B[31m ', '\n\u001B[0m▸ two\n']);
  const atStdout = [lines.foreign('\u001B[31m ', 'stdout'), lines.ours('▸ one\n')];
  expect(atStdout).toEqual(['', '\u001B[31m \n\u001B[0m▸ one\n']);
});

it('of a call that took long it is said how long, and which one it was where something else was written meanwhile', () => {
  let now = 0;
  const writer = new SignalWriter({ now: () => now });
  const start = (id: string) => writer.signal({ is: 'tool-start', id, tool: id, about: '' });
  const end = (id: string, isError: boolean) =>
    writer.signal({ is: 'tool-end', id, isError, ...(isError && { why: 'no room' }) });
  start('fast');
  now += 4_999;
  expect(end('fast', false)).toBe('');
  start('slow');
  now += 5_000;
  expect(end('slow', false)).toBe('  done after 5 s\n');
  start('npm');
  now += 65_000;
  expect(end('npm', true)).toBe('  it failed after 1 min 5 s: no room\n');
  start('one');
  start('two');
  now += 7_000;
  expect(end('one', false)).toBe('  one was done after 7 s\n');
  start('three');
  expect(end('two', true)).toBe('  two failed after 7 s: no room\n');
  start('four');
  expect(end('three', false)).toBe('');
  expect(end('four', true)).toBe('  it failed: no room\n');
});

it('of calls of one tool that were open at once it is said what each was about, also where the other has ended', () => {
  const writer = new SignalWriter();
  const start = (id: string, about: string, tool = 'Bash') =>
    writer.signal({ is: 'tool-start', id, tool, about });
  const end = (id: string, isError: boolean) =>
    writer.signal({ is: 'tool-end', id, isError, ...(isError && { why: 'no room' }) });
  start('a', 'npm test');
  start('b', 'npm run lint -- --max-warnings 0 --ext .ts,.tsx src');
  start('c', 'a.ts', 'Read');
  expect(end('a', false)).toBe('');
  expect(end('b', true)).toBe('  Bash “npm run lint -- --max-warnings 0 --ext …” failed: no room\n');
  expect(end('c', true)).toBe('  Read failed: no room\n');
  start('d', 'ls');
  start('e', 'b.ts', 'Read');
  expect(end('d', true)).toBe('  Bash failed: no room\n');
});

it('of the first of two calls of one tool it is said, too, what it was about, and not of one that was alone', () => {
  const writer = new SignalWriter();
  const start = (id: string) => writer.signal({ is: 'tool-start', id, tool: 'Bash', about: `run ${id}` });
  const end = (id: string) => writer.signal({ is: 'tool-end', id, isError: true });
  start('a');
  start('b');
  expect([end('a'), end('b')]).toEqual(['  Bash “run a” failed\n', '  Bash “run b” failed\n']);
  start('c');
  writer.line('a warning');
  expect(end('c')).toBe('  Bash failed\n');
});

it('of a thousand calls that are open the oldest is forgotten, and told as an earlier one', () => {
  const writer = new SignalWriter();
  for (let id = 0; id <= 1_000; id += 1)
    writer.signal({ is: 'tool-start', id: `${id}`, tool: 'Bash', about: 'ls' });
  const end = (id: string) => writer.signal({ is: 'tool-end', id, isError: true });
  expect([end('0'), end('1')]).toEqual(['  an earlier call failed\n', '  Bash “ls” failed\n']);
});

it('a line of its own has only what is right below a call set in', () => {
  const writer = new SignalWriter();
  writer.signal({ is: 'tool-start', id: 'a', tool: 'Bash', about: 'ls' });
  expect(writer.line('  one') + writer.line('  two')).toBe('   one\n  two\n');
});

it('what a compiler draws in columns stays in its columns below a call', () => {
  const lines = new LineGuard();
  const drawn = ['   |', '  --> src/a.rs:12:5', '  | ^^^', '  = note: no', '  ~ ~'].join('\n');
  expect(lines.foreign(`${drawn}\n`, 'stderr')).toBe(`${drawn}\n`);
  expect(lines.foreign('  --no\n  -> it\n', 'stderr')).toBe('   --no\n   -> it\n');
  const inParts = ['  ', '-', '-', '> src/a.rs\n', '  -', ' one\n'].map((part) =>
    lines.foreign(part, 'stderr'),
  );
  expect(inParts.join('')).toBe('  --> src/a.rs\n   - one\n');
});

it('what is released before it is known what it becomes looks like nothing of ours', () => {
  const lines = new LineGuard();
  expect(lines.foreign('  -', 'stderr') + lines.release('stderr')).toBe('   -');
  const others = new LineGuard();
  const below = others.ours('▸ ls\n') + others.foreign('  --', 'stdout') + others.endLine();
  expect(below).toBe('▸ ls\n   --\n');
});

it('words of others in a line of ours begin no further line as ours do', () => {
  const writer = new SignalWriter();
  const forged = 'x\n▸ edit a.ts\n  it failed';
  const start = { is: 'tool-start', id: 'a', tool: 'Bash', about: forged } as const;
  expect(writer.signal(start)).toBe('▸ Bash x ▸ edit a.ts it failed\n');
  expect(writer.signal({ is: 'tool-end', id: 'a', isError: true, fate: `was denied: ${forged}` })).toBe(
    '  it was denied: x\n   ▸ edit a.ts\n     it failed\n',
  );
  expect(writer.signal({ is: 'error', class: 'other', message: forged })).toBe(
    '✗ x\n   ▸ edit a.ts\n     it failed\n',
  );
});

it('what an agent says never begins as calls do, or what came of them, in parts and whole', () => {
  const call = { is: 'tool-start', id: 'a', tool: 'Read', about: 'a.ts' } as const;
  const list = '  - one\n  it failed\n▸ Run\n✗ no';
  const shown = '   - one\n  it failed\n ▸ Run\n ✗ no';
  const whole = new SignalWriter();
  expect(whole.signal(call) + whole.signal({ is: 'text', text: list })).toBe(`▸ Read a.ts\n${shown}\n`);
  const parts = new SignalWriter();
  const each = list.split('').map((text) => parts.signal({ is: 'text', text, isPart: true }));
  parts.signal(call);
  const below = list.split('').map((text) => parts.signal({ is: 'text', text, isPart: true }));
  expect(each.join('')).toBe(shown.slice(1));
  expect(below.join('')).toBe(shown);
  parts.signal(call);
  expect(parts.line('  Bash failed')).toBe('   Bash failed\n');
  expect(parts.line('▸ 3 of 4')).toBe(' ▸ 3 of 4\n');
  // What came of a call stands where it stands.
  expect(parts.signal({ is: 'tool-end', id: 'a', isError: true })).toBe('  Read failed\n');
});

it('of a call below which a line of its own came it is said which one it was', () => {
  const writer = new SignalWriter();
  writer.signal({ is: 'tool-start', id: 'a', tool: 'Bash', about: 'ls' });
  writer.line('a warning');
  expect(writer.signal({ is: 'tool-end', id: 'a', isError: true, why: 'no room' })).toBe(
    '  Bash failed: no room\n',
  );
});

it('what one has changed that ended while something else was written is said of it', () => {
  const writer = new SignalWriter();
  const start = (id: string) => writer.signal({ is: 'tool-start', id, tool: id, about: '' });
  start('edit');
  start('read');
  expect(writer.signal({ is: 'tool-end', id: 'edit', isError: false, diff: ['+ c'] })).toBe(
    '  edit was done\n  + c\n',
  );
  start('write');
  const fate = 'was denied by ann: no';
  expect(writer.signal({ is: 'tool-end', id: 'read', isError: true, fate })).toBe(
    '  read was denied by ann: no\n',
  );
});
