import { useSession } from '../context.ts';
import { RESTING_MS, useRead } from '../parts/use-read.ts';
import { CallItem } from './call-item.tsx';
import '../look/calls.css';

type CallsPaneProps = {
  readonly sprint: string;
  readonly task: string;
  /** Of the newest event: with another one they are read again. */
  readonly version: number;
  /** A moment of the past. */
  readonly at: number | undefined;
};

/** The tools that the agents of a task called, the newest first: with what, and who allowed it. */
export function CallsPane({ sprint, task, version, at }: CallsPaneProps) {
  const { api } = useSession();
  const { value, error } = useRead(
    JSON.stringify([sprint, task, at ?? version]),
    () => api.calls(sprint, { task, until: at }),
    at === undefined ? RESTING_MS : 0,
  );
  if (!value) return <p className="empty muted">{error ?? 'Reading…'}</p>;
  if (value.calls.length === 0) return <p className="empty muted">{value.empty}</p>;
  return (
    <>
      <ol className="calls" reversed>
        {value.calls.toReversed().map((line) => (
          <CallItem key={line.version} line={line} sprint={sprint} task={task} at={at} />
        ))}
      </ol>
      {value.leftOut !== undefined && <p className="calls-left-out muted">{value.leftOut}</p>}
    </>
  );
}
