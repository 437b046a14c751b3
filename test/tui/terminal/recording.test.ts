import { expect, it, onTestFinished, vi } from 'vitest';
import { Recording } from '../../../src/tui/terminal/recording.ts';
import type { ScreenActor } from '../../../src/tui/screen/screen-actor.ts';
import type { CloseOutcome } from '../../../src/workflow/requests/close-request.ts';

it('says of an answer that the log does not take that it is not recorded yet, and later what became of it', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const sent: unknown[] = [];
  const actor = { send: (event: unknown) => sent.push(event) } as unknown as ScreenActor;
  const recording = new Recording(actor, () => undefined);
  const closing = Promise.withResolvers<CloseOutcome>();
  recording.close('q-1', { done: 'Answered', back: 'list', again: 'Enter' } as never, closing.promise);
  vi.advanceTimersByTime(1_900);
  expect(sent).toEqual([]);
  vi.advanceTimersByTime(200);
  const late = { tone: 'warning', text: 'Not recorded yet: the log does not answer' };
  expect(sent).toEqual([{ type: 'told', notice: late }]);
  closing.resolve({ accepted: true, request: {} as never });
  await recording.settled();
  expect(sent.slice(1)).toEqual([{ type: 'outcome', id: 'q-1', notice: { tone: 'ok', text: 'Answered' } }]);
});
