import type { SentTask } from '../../api/sprint.ts';
import { runsOf } from '../connection/output-store.ts';
import { useSession } from '../context.ts';
import { useRead } from '../parts/use-read.ts';
import { OutputLines } from './output-pane.tsx';

type PastOutputProps = {
  readonly sprint: string;
  /** As it was then. */
  readonly task: SentTask;
  readonly at: number;
};

/** What the agents of a task had written by a moment of its past. */
export function PastOutput({ sprint, task, at }: PastOutputProps) {
  const { api } = useSession();
  const { value, error } = useRead(JSON.stringify([sprint, task.id, at]), () =>
    api.output(sprint, { task: task.id, until: at }),
  );
  if (!value) return <p className="empty muted">{error ?? 'Reading…'}</p>;
  return <OutputLines runs={runsOf(value)} task={task} />;
}
