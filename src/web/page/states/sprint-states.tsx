import type { SentSprint } from '../../api/sprint.ts';
import { machinePath } from '../../../views/events/machine-path.ts';
import { useSession } from '../context.ts';
import { useRead } from '../parts/use-read.ts';
import { StateDiagram } from './state-diagram.tsx';

/** Where a sprint stands among its states. */
export function SprintStates({ sprint: { name, state, detail } }: { readonly sprint: SentSprint }) {
  const { api } = useSession();
  const { value, error } = useRead('sprint', (signal) => api.diagram('sprint', signal));
  if (!value) return <p className="empty muted">{error ?? 'Reading…'}</p>;
  const now = detail === undefined ? state : `${state}.${detail}`;
  return <StateDiagram path={machinePath(value, [], now)} titles={value.titles} name={name} />;
}
