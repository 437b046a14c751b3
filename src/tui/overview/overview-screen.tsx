import { useSelector } from '@xstate/react';
import { Box, Text, useInput, usePaste, useWindowSize } from 'ink';
import { useMouse } from '../mouse/mouse-areas.ts';
import { readStrokes } from '../keys/strokes.ts';
import { HelpPane } from '../panes/help-pane.tsx';
import { HintLine } from '../panes/hints.tsx';
import { CONFIRM_DELAY_MS, useArmingAfter } from '../screen/use-arming.ts';
import { helpRows } from '../text/help-rows.ts';
import type { OverviewActor } from './overview-actor.ts';
import { OverviewBody } from './overview-body.tsx';
import { OverviewHeader } from './overview-header.tsx';
import { overviewHelp, overviewHints } from './overview-keys.ts';
import { layOutOverview } from './overview-layout.ts';
import { overviewRemarks } from './overview-remarks.ts';
import { currentArea, shownInbox, shownRows, type OverviewRoom } from './overview-state.ts';

/** The whole overview: it draws the actor's state and sends it the keys. */
export function OverviewScreen({ actor, project }: { actor: OverviewActor; project: string }) {
  const state = useSelector(actor, ({ context }) => context);
  const { columns, rows } = useWindowSize();
  const remarks = overviewRemarks(state, columns);
  const layout = layOutOverview({
    area: currentArea(state),
    columns,
    rows,
    sprints: shownRows(state).length,
    waiting: shownInbox(state).length,
    remarks: remarks.length,
  });
  const { isTooSmall } = layout;
  const { focus } = state;
  const help = focus.at === 'help' ? helpRows(overviewHelp(), columns - 2) : [];
  // Header, rule and hints.
  const helpHeight = rows - 3;
  const room: OverviewRoom = {
    sprintsPage: layout.sprints.rows,
    inboxPage: layout.inbox.rows,
    helpMax: Math.max(0, help.length - helpHeight),
  };
  const isArmable = focus.at === 'start' && !focus.isArmed && !isTooSmall;
  useArmingAfter(actor, { focus, delayMs: isArmable ? CONFIRM_DELAY_MS : undefined });
  useMouse((pointed) => {
    if (!isTooSmall) actor.send({ type: 'mouse', pointed, room });
  });
  useInput((input, key) => {
    const strokes = readStrokes(input, key);
    // What cannot be seen must not act; only the way out stays open.
    const allowed = isTooSmall
      ? strokes.filter((stroke) => 'key' in stroke && stroke.key === 'ctrl+c')
      : strokes;
    if (allowed.length > 0) actor.send({ type: 'keys', strokes: allowed, room });
  });
  usePaste((text) => {
    if (!isTooSmall) actor.send({ type: 'paste', text });
  });

  if (isTooSmall) return <TooSmall columns={columns} rows={rows} />;
  return (
    <Box flexDirection="column" width="100%" height={rows} overflow="hidden">
      <OverviewHeader overview={state.overview} project={project} columns={columns} />
      {focus.at === 'help' ? (
        <HelpPane rows={help} top={Math.min(focus.top, room.helpMax)} width={columns} height={helpHeight} />
      ) : (
        <OverviewBody state={state} layout={layout} />
      )}
      {focus.at !== 'help' &&
        remarks.map(({ text, color }, at) => (
          <Text key={at} wrap="truncate" {...(color ? { color } : {})}>
            {` ${text}`}
          </Text>
        ))}
      <HintLine hints={overviewHints(state)} width={columns} />
    </Box>
  );
}

function TooSmall({ columns, rows }: { columns: number; rows: number }) {
  return (
    <Box width="100%" height={rows} overflow="hidden" flexDirection="column">
      <Text>Terminal too small</Text>
      <Text dimColor>{`${columns}×${rows}, needs 40×10`}</Text>
    </Box>
  );
}
