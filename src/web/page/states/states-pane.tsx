import { useSession } from '../context.ts';
import { RESTING_MS, useRead } from '../parts/use-read.ts';
import { StateDiagram } from './state-diagram.tsx';

type StatesPaneProps = {
  readonly sprint: string;
  /** `undefined`: the sprint itself. */
  readonly task: string | undefined;
  /** Of the newest event: with another one it is read again. */
  readonly version: number;
  /** A moment of the past. */
  readonly at: number | undefined;
};

/** The way of a task, or of its sprint, through the states of its machine, now or at a moment of its past. */
export function StatesPane({ sprint, task, version, at }: StatesPaneProps) {
  const { api } = useSession();
  const { value, error } = useRead(
    JSON.stringify([sprint, task, at ?? version]),
    () => api.path(sprint, { task, until: at }),
    at === undefined ? RESTING_MS : 0,
  );
  if (!value) return <p className="empty muted">{error ?? 'Reading…'}</p>;
  return <StateDiagram path={value} titles={value} name={task ?? sprint} />;
}
