import { useSelector } from '@xstate/react';
import { Box, Text, useWindowSize } from 'ink';
import { PagePane, pageOf } from '../panes/page-pane.tsx';
import { RemarkLines } from '../panes/remark-lines.tsx';
import { SpanRow } from '../panes/span-row.tsx';
import { useScreenInput } from '../screen/use-screen-input.ts';
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
  // Header, rule and hints take the rest.
  const help = pageOf(focus.at === 'help' ? helpRows(overviewHelp(), columns - 2) : [], rows - 3);
  const room: OverviewRoom = {
    sprintsPage: layout.sprints.rows,
    inboxPage: layout.inbox.rows,
    helpMax: help.max,
  };
  const isArmable = focus.at === 'start' && !focus.isArmed && !isTooSmall;
  useArmingAfter(actor, { focus, delayMs: isArmable ? CONFIRM_DELAY_MS : undefined });
  useScreenInput(actor, { room, isTooSmall });

  if (isTooSmall) return <TooSmall columns={columns} rows={rows} />;
  return (
    <Box flexDirection="column" width="100%" height={rows} overflow="hidden">
      <OverviewHeader overview={state.overview} project={project} columns={columns} />
      {focus.at === 'help' ? (
        <PagePane title="Keys" page={help} top={focus.top} width={columns}>
          {(spans) => <SpanRow spans={spans} />}
        </PagePane>
      ) : (
        <OverviewBody state={state} layout={layout} />
      )}
      {focus.at !== 'help' && <RemarkLines remarks={remarks} />}
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
