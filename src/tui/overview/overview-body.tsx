import { Box } from 'ink';
import { useContext, useMemo, type ReactNode } from 'react';
import { visibleLine } from '../../lib/text/visible.ts';
import { sprintsIn, type SprintRow } from '../../views/sprints/overview.ts';
import { Line } from '../panes/line.tsx';
import { Rule } from '../panes/rule.tsx';
import { SpanRow } from '../panes/span-row.tsx';
import type { Span } from '../text/spans.ts';
import { useMouseArea, type ItemAt, type MousePart } from '../mouse/mouse-areas.ts';
import { ClockContext, useSince } from '../terminal/clock.ts';
import { aboutItem, aboutSprint, sprintFacts, tasksOfSprint } from './about-rows.ts';
import type { Cursor } from '../panes/list-row.tsx';
import { InboxList } from './inbox-list.tsx';
import type { OverviewLayout } from './overview-layout.ts';
import {
  currentArea,
  pickedItem,
  pickedRow,
  shownInbox,
  shownRows,
  type OverviewState,
} from './overview-state.ts';
import { positionText, visibleSlice } from '../text/visible-slice.ts';
import { SprintList } from './sprint-list.tsx';

const NO_MATCH = 'Nothing has this in it';

type BodyProps = { readonly state: OverviewState; readonly layout: OverviewLayout };

/** The lists, and what there is to say of what their cursors are on. */
export function OverviewBody({ state, layout }: BodyProps) {
  const { shape, aboutSprint: ofSprint, aboutTasks: ofTasks, aboutItem: ofItem } = layout;
  const sprints = <Sprints state={state} layout={layout} />;
  const ruleAt = leftRuleOf(layout);
  const inbox = <Inbox state={state} layout={layout} joinAt={ruleAt} />;
  if (shape === 'single') return currentArea(state) === 'inbox' ? inbox : sprints;
  const isLeft = ofSprint.width === layout.sprints.width;
  const aboutSprint = ofSprint.rows > 0 && (
    <AboutSprint
      state={state}
      extent={ofSprint}
      hasTasks={ofTasks.rows === 0}
      edge={shape === 'wide' && !isLeft ? '├' : '─'}
    />
  );
  // Where the rule on the left is as high, both lines go through.
  const crossing = isLeft && ofSprint.rows > 0 && layout.sprints.rows === layout.inbox.rows ? '┼' : '├';
  const place = {
    state,
    edge: shape === 'wide' ? crossing : '─',
    // Its rule, and the rows above it.
    joinAt: ruleAt === undefined ? undefined : ruleAt - layout.inbox.rows - 1,
  } as const;
  const aboutItem = ofItem.rows > 0 && <AboutItem {...place} extent={ofItem} />;
  const aboutTasks = ofTasks.rows > 0 && <AboutTasks {...place} extent={ofTasks} />;
  if (shape === 'stacked')
    return (
      <>
        {inbox}
        {sprints}
        {aboutSprint}
        {aboutItem}
      </>
    );
  return (
    <Box>
      <Box flexDirection="column" flexShrink={0} width={layout.sprints.width}>
        {sprints}
        {isLeft && aboutSprint}
      </Box>
      <Box flexDirection="column">
        {inbox}
        {!isLeft && aboutSprint}
        {aboutTasks}
        {aboutItem}
      </Box>
    </Box>
  );
}

function Sprints({ state, layout: { sprints, shape } }: BodyProps) {
  const rows = shownRows(state);
  const all = state.overview.rows.length;
  const picked = pickedRow(state)?.sprint.id;
  const isPicked = ({ sprint }: SprintRow) => sprint.id === picked;
  const { items: shown } = visibleSlice(rows, sprints.rows, isPicked);
  const isIn = currentArea(state) === 'sprints';
  return (
    <Titled
      title="Sprints"
      note={noteOf(sprintsIn(rows), sprintsIn(state.overview.rows).length, sprints.rows, isPicked)}
      isFocused={isIn}
      {...sprints}
      part="sprints"
      itemAt={({ row }) => shown[row]?.sprint.id}
      edge="─"
    >
      <SprintList
        rows={rows}
        agentless={state.agentless}
        picked={picked}
        cursor={cursorOf(isIn, shape)}
        width={sprints.width}
        height={sprints.rows}
        empty={all > 0 ? NO_MATCH : 'No sprints yet: clifford sprint new <id> makes one'}
      />
    </Titled>
  );
}

/** The row below the rule of the inbox, from 0, at which the rule below the sprints ends; `undefined`: there is none beside it. */
function leftRuleOf({ shape, sprints, aboutSprint }: OverviewLayout): number | undefined {
  const isLeft = aboutSprint.rows > 0 && aboutSprint.width === sprints.width;
  return shape === 'wide' && isLeft ? sprints.rows : undefined;
}

function Inbox({
  state,
  layout: { inbox, shape },
  joinAt,
}: BodyProps & { readonly joinAt: number | undefined }) {
  const items = shownInbox(state);
  const all = state.overview.inbox.length;
  const picked = pickedItem(state)?.id;
  const { items: shown } = visibleSlice(items, inbox.rows, ({ id }) => id === picked);
  const isIn = currentArea(state) === 'inbox';
  return (
    <Titled
      title="Waits for you"
      note={noteOf(items, all, inbox.rows, ({ id }) => id === picked)}
      isFocused={isIn}
      {...inbox}
      part="inbox"
      itemAt={({ row }) => shown[row]?.id}
      joinAt={joinAt}
      edge={shape === 'wide' ? '┬' : '─'}
    >
      <InboxList
        items={items}
        commands={state.commands}
        picked={picked}
        cursor={cursorOf(isIn, shape)}
        width={inbox.width}
        height={inbox.rows}
        empty={all > 0 ? NO_MATCH : 'Nothing waits for you'}
      />
    </Titled>
  );
}

function cursorOf(isIn: boolean, shape: OverviewLayout['shape']): Cursor {
  if (isIn) return 'here';
  return shape === 'wide' ? 'elsewhere' : 'none';
}

type AboutProps = {
  readonly state: OverviewState;
  readonly extent: { readonly width: number; readonly rows: number };
  readonly edge: Edge;
  readonly joinAt?: number | undefined;
};

/** The sprint that its list stands at, in more words. */
function AboutSprint({
  state,
  extent: { width, rows },
  hasTasks,
  edge,
}: AboutProps & { readonly hasTasks: boolean }) {
  const { now } = useContext(ClockContext);
  const row = pickedRow(state);
  const sinceLast = useSince(row?.sprint.lastEventAt);
  const missing = state.agentless.get(row?.sprint.id ?? '');
  const lines = useMemo(() => {
    if (!row) return [];
    const known = { now: now(), sinceLast, missing };
    return hasTasks
      ? aboutSprint(row, { width: width - 2, rows }, known)
      : sprintFacts(row, width - 2, known);
  }, [row, width, rows, hasTasks, now, sinceLast, missing]);
  return <Said title={row?.sprint.name ?? ''} lines={lines} width={width} rows={rows} edge={edge} />;
}

/** Its tasks, beside that. */
function AboutTasks({ state, extent, edge, joinAt }: AboutProps) {
  const { width, rows } = extent;
  const row = pickedRow(state);
  const lines = useMemo(
    () => (row ? tasksOfSprint(row, { width: width - 2, rows }) : []),
    [row, width, rows],
  );
  return <Said title="Its tasks" lines={lines} {...extent} edge={edge} joinAt={joinAt} />;
}

/** The request that its list stands at, in more words. */
function AboutItem({ state, extent: { width, rows }, edge, joinAt }: AboutProps) {
  const item = pickedItem(state);
  const command = item && state.commands.get(item.id);
  const files = item && state.files.get(item.id);
  const isFolded = item !== undefined && state.folded.has(item.id);
  const lines = useMemo(
    () => (item ? aboutItem(item, { width: width - 2, rows }, { command, files, isFolded }) : []),
    [item, width, rows, command, files, isFolded],
  );
  const title = item?.task === undefined ? item?.sprint : `${item.sprint}/${item.task}`;
  return <Said title={title ?? ''} lines={lines} width={width} rows={rows} edge={edge} joinAt={joinAt} />;
}

type SaidProps = Omit<TitledProps, 'children' | 'isFocused'> & {
  readonly lines: readonly (readonly Span[])[];
};

function Said({ title, lines, ...place }: SaidProps) {
  return (
    <Titled title={visibleLine(title)} isFocused={false} {...place}>
      <Box flexDirection="column" paddingX={1} width={place.width} height={place.rows} overflow="hidden">
        {lines.map((spans, at) => (
          <SpanRow key={at} spans={spans} />
        ))}
      </Box>
    </Titled>
  );
}

/** How the rule above begins; where a line comes or goes down from there, what is below it stands right of that line. */
type Edge = '─' | '┬' | '├' | '┼';

type TitledProps = {
  readonly title: string;
  readonly note?: string | undefined;
  readonly isFocused: boolean;
  readonly width: number;
  readonly rows: number;
  readonly edge: Edge;
  /** The row, from 0, of the line left of it at which a rule from the left ends. */
  readonly joinAt?: number | undefined;
  /** What the mouse does there. Default: nothing. */
  readonly part?: MousePart;
  readonly itemAt?: ItemAt;
  readonly children: ReactNode;
};

/** A rule with a title, and rows below it. */
function Titled(props: TitledProps) {
  const { title, note, isFocused, width, rows, edge, joinAt, part, itemAt, children } = props;
  const ref = useMouseArea(part, itemAt);
  const isBeside = edge !== '─';
  const whole = isBeside ? width + 1 : width;
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Rule width={whole} title={title} note={note} start={edge} isFocused={isFocused} />
      <Box>
        {isBeside && <Line rows={rows} joinsAt={joinAt === undefined ? [] : [joinAt]} />}
        <Box ref={ref} height={rows} width={width} flexDirection="column" overflow="hidden">
          {children}
        </Box>
      </Box>
    </Box>
  );
}

/** How many there are; where they do not fit, where its cursor is; of those that a filter leaves, of how many. */
function noteOf<T>(shown: readonly T[], all: number, rows: number, isPicked: (item: T) => boolean): string {
  const position = shown.some(isPicked) ? positionText(shown, rows, isPicked) : '';
  if (position !== '') return position;
  return shown.length === all ? `${all}` : `${shown.length} of ${all}`;
}
