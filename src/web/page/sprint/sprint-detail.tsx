import type { SentSprint } from '../../api/sprint.ts';
import { EventsPane } from '../events/events-pane.tsx';
import { later } from '../parts/later.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { goTo, routeNow, useRoute } from '../route.ts';

const StatesPane = later(async () => (await import('../states/states-pane.tsx')).StatesPane, 'Its states');

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
        <StatesPane sprint={sprint.id} task={undefined} version={version} at={at} />
      )}
    </Tabs>
  );
}
