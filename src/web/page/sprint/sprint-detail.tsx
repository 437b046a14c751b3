import type { SentSprint } from '../../api/sprint.ts';
import { machinePath } from '../../../views/events/machine-path.ts';
import { useSession } from '../context.ts';
import { EventsPane } from '../events/events-pane.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { useRead } from '../parts/use-read.ts';
import { goTo, routeNow, useRoute } from '../route.ts';
import { LaterDiagram } from '../states/later-diagram.ts';

const tabs = [
  { id: 'events', name: 'Events' },
  { id: 'states', name: 'States' },
] as const;

type SprintDetailProps = {
  readonly sprint: SentSprint;
  readonly version: number;
  readonly at: number | undefined;
};

/** What happens in a sprint as a whole. */
export function SprintDetail({ sprint, version, at }: SprintDetailProps) {
  const { view } = useRoute();
  const current = view === 'states' ? 'states' : 'events';
  return (
    <Tabs
      label="What of it"
      tabs={sprint.id === 'adhoc' ? tabs.slice(0, 1) : tabs}
      current={current}
      onChoose={(tab) => goTo({ ...routeNow(), view: tab }, { replace: true })}
    >
      {current === 'events' ? (
        <EventsPane sprint={sprint.id} task={undefined} version={version} at={at} />
      ) : (
        <SprintStates sprint={sprint} />
      )}
    </Tabs>
  );
}

function SprintStates({ sprint: { name, state, detail } }: { readonly sprint: SentSprint }) {
  const { api } = useSession();
  const { value, error } = useRead('sprint', (signal) => api.diagram('sprint', signal));
  if (!value) return <p className="empty muted">{error ?? 'Reading…'}</p>;
  const now = detail === undefined ? state : `${state}.${detail}`;
  return <LaterDiagram path={machinePath(value, [], now)} titles={value.titles} name={name} />;
}
