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
    vitals.noteOutput();
    expect(silenceOf(vitals, Date.now(), 1)).toBe(0);
  });

  it('is silent from then on', () => {
    const vitals = new VitalSigns();
    vitals.noteOutput();
    expect(silenceOf(vitals, Date.now(), 9)).toBeGreaterThanOrEqual(700);
  });

  it('is silent, too, when the clock is set back meanwhile', () => {
    const vitals = new VitalSigns();
    vitals.noteOutput();
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
