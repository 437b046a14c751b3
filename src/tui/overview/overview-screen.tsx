import { useSelector } from '@xstate/react';
import { Box } from 'ink';
import { useContext } from 'react';
import { PalettePane } from '../palette/palette-pane.tsx';
import { ResultPane, useResultRows } from '../palette/result-pane.tsx';
import { PagePane, pageOf, type Page as Rows } from '../panes/page-pane.tsx';
import { RemarkLines } from '../panes/remark-lines.tsx';
import { SpanRow } from '../panes/span-row.tsx';
import { TooSmall } from '../terminal/too-small.tsx';
import { useScreenSize } from '../terminal/use-screen-size.ts';
import { useSuspend } from '../terminal/use-suspend.ts';
import { useScreenInput } from '../terminal/use-screen-input.ts';
import { HintLine } from '../panes/hints.tsx';
import { CONFIRM_DELAY_MS, useArmingAfter, useDisarming, useOffer } from '../screen/use-arming.ts';
import { helpRows, helpTitle } from '../text/help-rows.ts';
import type { Remark } from '../text/remark.ts';
import type { Span } from '../text/spans.ts';
import type { OverviewActor } from './overview-actor.ts';
import { armed, decidesAlone } from './step-overview.ts';
import { OverviewBody } from './overview-body.tsx';
import { OverviewHeader } from './overview-header.tsx';
import { overviewHelp, overviewHints, overviewItems } from './overview-keys.ts';
import { layOutOverview, type OverviewLayout } from './overview-layout.ts';
import { leastWidth } from './sprint-list.tsx';
import { overviewRemarks } from './overview-remarks.ts';
import {
  currentArea,
  shownInbox,
  shownRows,
  type OverviewRoom,
  type OverviewState,
} from './overview-state.ts';
import { helpInWords, inKeyWords, KeyWordsContext } from '../keys/key-words.ts';

type OverviewScreenProps = {
  readonly actor: OverviewActor;
  readonly project: string;
  readonly onAway?: ((isAway: boolean) => void) | undefined;
};

/** The whole overview: it draws the actor's state and sends it the keys. */
export function OverviewScreen({ actor, project, onAway }: OverviewScreenProps) {
  const now = useSelector(actor, ({ context }) => context);
  const offer = useOffer(now.focus);
  const state = offer.isOffered ? armed(now) : now;
  const { columns, rows, isTooSmall, terminal } = useScreenSize();
  const remarks = overviewRemarks(state, columns);
  const layout = layOutOverview({
    area: currentArea(state),
    columns,
    rows,
    sprints: shownRows(state).length,
    waiting: shownInbox(state).length,
    leastWidth: (widths) => leastWidth(shownRows(state), state.agentless, widths),
    remarks: remarks.length,
  });
  const { focus } = state;
  // Header, rule and hints take the rest.
  const isInWords = useContext(KeyWordsContext);
  const help = pageOf(
    focus.at === 'help' ? helpRows(helpInWords(overviewHelp(focus), isInWords), columns - 2, rows - 3) : [],
    rows - 3,
  );
  const result = pageOf(useResultRows(state, columns - 2), rows - 3);
  const room: OverviewRoom = {
    sprintsPage: layout.sprints.rows,
    inboxPage: layout.inbox.rows,
    helpMax: help.max,
    result: { page: Math.max(1, result.height - 1), max: result.max },
    isTooSmall,
  };
  const isArmable = now.focus.at === 'start' && !now.focus.isArmed && !isTooSmall;
  useArmingAfter(actor, { ...offer, focus: now.focus, delayMs: isArmable ? CONFIRM_DELAY_MS : undefined });
  useDisarming(actor);
  useSuspend(actor, onAway);
  useScreenInput(actor, {
    room,
    isTooSmall,
    decides: (stroke) => decidesAlone(actor.getSnapshot().context, stroke),
  });

  if (isTooSmall) return <TooSmall way="Ctrl+C leaves" {...terminal} />;
  return (
    <Box flexDirection="column" width="100%" height={rows} overflow="hidden">
      <OverviewHeader overview={state.overview} project={project} columns={columns} />
      <Page {...{ state, layout, remarks, help, result, columns, rows }} />
      <HintLine hints={inKeyWords(overviewHints(state, room), isInWords)} width={columns} />
    </Box>
  );
}

type PageProps = {
  readonly state: OverviewState;
  readonly layout: OverviewLayout;
  readonly remarks: readonly Remark[];
  readonly help: Rows<readonly Span[]>;
  readonly result: Rows<readonly Span[]>;
  readonly columns: number;
  readonly rows: number;
};

/** What stands between the header and the hints. */
function Page({ state, layout, remarks, help, result, columns, rows }: PageProps) {
  const { focus, palette } = state;
  const below = <RemarkLines remarks={remarks} />;
  switch (focus.at) {
    case 'help':
      return (
        <PagePane title={helpTitle(focus)} page={help} top={focus.top} width={columns}>
          {(spans) => <SpanRow spans={spans} />}
        </PagePane>
      );
    case 'result':
      return <ResultPane result={palette.result} page={result} top={focus.top} width={columns} />;
    case 'palette':
      return (
        <>
          <PalettePane
            focus={focus}
            items={overviewItems(state)}
            placeholder="What to do, a sprint, or / for a command"
            width={columns}
            height={rows - 2 - remarks.length}
          />
          {below}
        </>
      );
    default:
      return (
        <>
          <OverviewBody state={state} layout={layout} />
          {below}
        </>
      );
  }
}
