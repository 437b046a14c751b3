import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { AttemptDisplay } from '../../../src/runner/attempt/attempt-display.ts';
import { tempRoot } from '../../helpers/temp-project.ts';
import { attemptParts } from '../support/attempt-parts.ts';

async function displayed() {
  let text = '';
  const parts = attemptParts(join(await tempRoot(), '.clifford'));
  const display = new AttemptDisplay({ ...parts, onOutput: (_channel, more) => void (text += more) });
  return { display, text: () => text };
}

it('what Clifford says stands on a line of its own, and leaves the line whole that an agent is at', async () => {
  const { display, text } = await displayed();
  display.remark('first');
  display.show('stdout', 'Let me s');
  display.remark('second');
  display.remark('third');
  display.show('stdout', 'ee.\nIt');
  display.show('stdout', ' is.\n');
  display.remark('fourth');
  expect(text()).toBe(
    '[clifford: first]\nLet me see.\n[clifford: second]\n[clifford: third]\nIt is.\n[clifford: fourth]\n',
  );
});

it('what Clifford says has no colour that an agent has left open', async () => {
  const { display, text } = await displayed();
  display.show('stdout', '\u001B[31mred\n');
  display.remark('first');
  display.remark('second');
  expect(text()).toBe('\u001B[31mred\n\u001B[0m[clifford: first]\n[clifford: second]\n');
});

it('what Clifford says does not wait for a line that has no end', async () => {
  const { display, text } = await displayed();
  display.show('stdout', 'Overwrite? ');
  display.remark('look');
  display.remarkNow();
  display.remarkNow();
  display.show('stdout', 'y');
  display.remark('parked');
  display.end(undefined);
  expect(text()).toBe('Overwrite? \n[clifford: look]\ny\n[clifford: parked]\n');
});

it('what Clifford says waits as long as it may, whenever something else was said before', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { display, text } = await displayed();
  display.show('stdout', 'Let me s');
  display.remark('first');
  display.remark('and');
  vi.advanceTimersByTime(4_900);
  display.show('stdout', 'ee.\nIt');
  display.remark('second');
  vi.advanceTimersByTime(4_900);
  expect(text()).toBe('Let me see.\n[clifford: first]\n[clifford: and]\nIt');
  vi.advanceTimersByTime(100);
  expect(text()).toBe('Let me see.\n[clifford: first]\n[clifford: and]\nIt\n[clifford: second]\n');
});
