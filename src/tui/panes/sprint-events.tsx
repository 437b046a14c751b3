import { Box } from 'ink';
import { useBesideContent } from '../feed/use-beside.ts';
import type { ScreenState } from '../screen/screen-state.ts';
import { lastEvents } from '../text/last-events.ts';
import { sprintEventsPane } from './events-pane.ts';
import { Rule } from './rule.tsx';
import { SpanRow } from './span-row.tsx';

type SprintEventsProps = {
  readonly state: ScreenState;
  readonly width: number;
  readonly rows: number;
};

/** What has happened last in the sprint, whichever task is picked: the newest at the end. No key moves in it. */
export function SprintEvents({ state, width, rows }: SprintEventsProps) {
  const { browsing, sprint } = state;
  // It is the same for all tasks.
  const task = sprint.tasks[0]?.id;
  const loaded = useBesideContent({ ...state, browsing: { ...browsing, pane: sprintEventsPane.id, task } });
  const lines = loaded?.content.lines(width - 2) ?? [];
  return (
    <Box flexDirection="column" flexShrink={0} width={width}>
      <Rule width={width} title={sprintEventsPane.title} />
      <Box flexDirection="column" paddingX={1} height={rows} overflow="hidden">
        {lastEvents(lines, { before: 2, width: width - 2, height: rows }).map((spans, at) => (
          <SpanRow key={at} spans={spans} />
        ))}
      </Box>
    </Box>
  );
}
