import type { RecordedCall } from '../../gateway/backtest/recorded-call.ts';

/** A call of the log for programs. */
export function callRecord({
  isWhole: _whole,
  hasChanged: _changed,
  annotations: _said,
  stream: sprint,
  taskId: task,
  ...call
}: RecordedCall): object {
  return { ...call, sprint, task };
}
