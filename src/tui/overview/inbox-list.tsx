import { Box, Text } from 'ink';
import { memo, useMemo } from 'react';
import { ADHOC_STREAM } from '../../events/adhoc-stream.ts';
import { cellsOf, fill, fit, fitMiddle } from '../../lib/text/cells.ts';
import { waitedText } from '../../lib/time/duration.ts';
import { count } from '../../lib/text/count.ts';
import { escapeAgentLine, stripAgentLine } from '../../lib/text/sanitise.ts';
import { idAmong, sprintAmong } from '../../views/sprints/several-projects.ts';
import type { InboxItem } from '../../views/requests/inbox.ts';
import { requestTitle } from '../../views/requests/request-title.ts';
import { lookOfCommandRisk } from '../../views/calls/command-risk.ts';
import type { CommandParts } from '../../workflow/policy/command-parts.ts';
import type { Commands } from '../screen/screen-state.ts';
import type { RiskLevel } from '../../views/calls/risk-level.ts';
import { riskLevel, riskText, type Risk } from '../../views/calls/risk.ts';
import { useSince, useTimed } from '../terminal/clock.ts';
import { colors } from '../terminal/theme.ts';
import { visibleSlice } from '../text/visible-slice.ts';
import { ListRow, Part, type Cursor } from '../panes/list-row.tsx';

type InboxListProps = {
  readonly items: readonly InboxItem[];
  /** Their command lines, taken apart, by their ids. */
  readonly commands: Commands;
  /** Id of the request that the cursor is on. */
  readonly picked: string | undefined;
  readonly cursor: Cursor;
  readonly width: number;
  readonly height: number;
  /** Stands there while there are none. */
  readonly empty: string;
};

/** Cells of the cursor and the mark. */
const MARK_WIDTH = 1 + 2;
const WHERE_WIDTH = 24;
/** Narrower, a line has no room for where it is asked. */
const LEAST_WITH_WHERE = 48;

/** What waits for a human, one per line. */
export const InboxList = memo(function InboxList(props: InboxListProps) {
  const { items, commands, picked, cursor, width, height, empty } = props;
  const age = useTimed(items.length > 0, (now) => widestAge(items, now));
  if (items.length === 0) return <Text dimColor wrap="truncate">{` ${empty}`}</Text>;
  const { items: shown } = visibleSlice(items, height, ({ id }) => id === picked);
  const risk = Math.max(...shown.map((item) => riskText(item).length));
  const most = width < LEAST_WITH_WHERE ? 0 : Math.min(WHERE_WIDTH, Math.floor(width * 0.3));
  const widest = (isShort: boolean) => Math.max(...shown.map((item) => cellsOf(whereOf(item, isShort))));
  const isShort = most < WHERE_WIDTH && widest(false) > most;
  const where = Math.min(most, widest(isShort));
  // Blanks stand between them.
  const question = Math.max(0, width - MARK_WIDTH - risk - where - age - 3);
  return (
    <Box flexDirection="column" width={width} height={height} overflow="hidden">
      {shown.map((item) => (
        <InboxLine
          key={item.id}
          item={item}
          command={commands.get(item.id)}
          cursor={item.id === picked ? cursor : 'none'}
          widths={{ risk, where, question, age }}
          isShort={isShort}
          width={width}
        />
      ))}
    </Box>
  );
});

type InboxLineProps = {
  readonly item: InboxItem;
  readonly command: CommandParts | undefined;
  readonly cursor: Cursor;
  readonly widths: Readonly<Record<'risk' | 'where' | 'question' | 'age', number>>;
  /** There is no room for the sprint beside the task. */
  readonly isShort: boolean;
  readonly width: number;
};

function InboxLine({ item, command, cursor, widths, isShort, width }: InboxLineProps) {
  const color = riskColor(item.risk);
  const age = useSince(item.askedAt);
  const question = useMemo(() => worstPart(command) ?? requestTitle(item), [item, command]);
  const state = `${item.approval ? '!' : '?'} ${riskText(item).padEnd(widths.risk)} `;
  const where = widths.where > 0 ? fill(fitMiddle(whereOf(item, isShort), widths.where), widths.where) : '';
  const asked = ` ${fill(item.approval ? fitMiddle(question, widths.question) : question, widths.question)}`;
  const waits = ` ${fit(age, widths.age).padStart(widths.age)}`;
  return (
    <ListRow cursor={cursor} width={width} cells={cellsOf(state + where + asked + waits)}>
      <Part color={color} bold={riskLevel(item.risk) === 'high'}>
        {state}
      </Part>
      <Part bold={cursor === 'here'}>{where}</Part>
      <Part>{asked}</Part>
      <Part color={colors.question}>{waits}</Part>
    </ListRow>
  );
}

/** Of a command line of several commands the one that does most harm, and how many others there are; `undefined`: none does. */
function worstPart({ parts }: CommandParts = NO_PARTS): string | undefined {
  const others = parts.length - 1;
  const worst = parts
    .flatMap(({ text, risks: [risk] = [] }) => (risk ? [{ text, level: lookOfCommandRisk(risk).level }] : []))
    .toSorted((one, other) => levels.indexOf(one.level) - levels.indexOf(other.level))[0];
  if (!worst || others === 0) return undefined;
  return `${escapeAgentLine(worst.text)} +${count(others, 'part')}`;
}

const NO_PARTS: CommandParts = { parts: [], writes: [], doubt: undefined };
const levels: readonly RiskLevel[] = ['high', 'medium', 'low'];

/** Cells of the longest time that somebody waits by now. */
function widestAge(items: readonly InboxItem[], now: number): number {
  return Math.max(...items.map(({ askedAt }) => waitedText(now - Date.parse(askedAt)).length));
}

/** Where it is asked: `web/form`; in short the task alone. */
function whereOf({ sprint, task, asker }: InboxItem, isShort: boolean): string {
  const { project, sprint: own } = sprintAmong(sprint);
  if (own === ADHOC_STREAM) return stripAgentLine(project === undefined ? asker : idAmong(project, asker));
  if (task === undefined) return stripAgentLine(sprint);
  return stripAgentLine(isShort ? task : `${sprint}/${task}`);
}

/** Its word says how great a risk is. Red is for what has failed. */
function riskColor(risk: Risk): string {
  return risk === 'none' || risk === 'reads' ? colors.focus : colors.warning;
}
