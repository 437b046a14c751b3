import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { VitalSigns } from '../../../src/runner/attempt/vital-signs.ts';
import type { AttemptLimits } from '../../../src/runner/attempt/watch.ts';

const limits: AttemptLimits = { connect: 0, idle: 800, tool: 0, exit: 0, attempt: 0 };
/** No process has such a number. */
const NO_GROUP = 2 ** 30;

/** How long an agent was silent, when it is looked at so often from an instant on, every 100 ms. */
function silenceOf(vitals: VitalSigns, from: number, looks: number): number {
  for (let count = 0; count < looks; count++) {
    const now = from + count * 100;
    vitals.look(NO_GROUP, { now, awaitsHuman: false, isConnected: true, parkMs: 0 }, limits);
  }
  return vitals.view().watch.silentMs;
}

describe('an agent that was heard', () => {
  it('is not silent any more when it prints', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const vitals = new VitalSigns();
    expect(silenceOf(vitals, Date.now(), 8)).toBeGreaterThanOrEqual(600);
    vi.setSystemTime(Date.now() + 800);
    vitals.noteOutput({ isPlain: true });
    expect(silenceOf(vitals, Date.now(), 1)).toBe(0);
  });

  it('is silent from then on', () => {
    const vitals = new VitalSigns();
    vitals.noteOutput({ isPlain: true });
    expect(silenceOf(vitals, Date.now(), 9)).toBeGreaterThanOrEqual(700);
  });

  it('is silent, too, when the clock is set back meanwhile', () => {
    const vitals = new VitalSigns();
    vitals.noteOutput({ isPlain: true });
    expect(silenceOf(vitals, Date.now() - 3_600_000, 9)).toBeGreaterThanOrEqual(700);
  });
});

describe('an agent that ends no call of a tool', () => {
  it('is remembered to use one, of which there are not too many to remember', () => {
    const vitals = new VitalSigns();
    for (let call = 0; call < 10_000; call++)
      vitals.noteSignal({ is: 'tool-start', id: `call-${call}`, tool: 'shell', about: '' });
    expect(vitals.view().usesTool).toBe(true);
    expect(vitals.report.openTools).toHaveLength(100);
    vitals.noteSignal({ is: 'tool-end', id: 'call-9999', isError: false });
    expect(vitals.report.openTools).not.toContain('call-9999');
  });
});

describe('an agent that waits for a human', () => {
  /** Since when it does nothing else, in ms after the beginning of its wait. */
  function waitsSince(happens: (vitals: VitalSigns) => void): number {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const vitals = new VitalSigns();
    const from = Date.now();
    const lookAt = (now: number) =>
      vitals.look(NO_GROUP, { now, awaitsHuman: true, isConnected: true, parkMs: 1_000 }, limits);
    lookAt(from);
    vi.setSystemTime(from + 400);
    happens(vitals);
    lookAt(from + 500);
    return (vitals.view().wait?.since ?? 0) - from;
  }

  it.each<[string, (vitals: VitalSigns) => void]>([
    ['says something', (vitals) => vitals.noteSignal({ is: 'text', text: 'Meanwhile' })],
    ['prints plain text', (vitals) => vitals.noteOutput({ isPlain: true })],
    ['calls a tool of Clifford’s', (vitals) => vitals.noteEvent('call-1')],
  ])('does not wait only when it %s', (_, happens) => {
    expect(waitsSince(happens)).toBe(400);
  });

  it.each<[string, (vitals: VitalSigns) => void]>([
    ['prints that it waits', (vitals) => vitals.noteOutput({ isPlain: false })],
    [
      'says what it has used',
      (vitals) => vitals.noteSignal({ is: 'usage', tokens: { input: 1, output: 1 } }),
    ],
  ])('waits on when it %s', (_, happens) => {
    expect(waitsSince(happens)).toBe(0);
  });

  it('has as many calls open as the log has that have not returned', () => {
    const vitals = new VitalSigns();
    for (const call of ['a', 'b', 'b']) vitals.noteEvent(call);
    expect(vitals.view().openCalls).toBe(2);
    vitals.noteReturn('a');
    expect(vitals.view().openCalls).toBe(1);
  });
});
