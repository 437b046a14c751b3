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
/** Before what is asked has fewer, a risk is one word; and it is cut at its end, so that its beginning says what it is. */
const LEAST_ASKED = 24;

/** What waits for a human, one per line. */
export const InboxList = memo(function InboxList(props: InboxListProps) {
  const { items, commands, picked, cursor, width, height, empty } = props;
  const age = useTimed(items.length > 0, (now) => widestAge(items, now));
  if (items.length === 0) return <Text dimColor wrap="truncate">{` ${empty}`}</Text>;
  const { items: shown } = visibleSlice(items, height, ({ id }) => id === picked);
  const risksOf = (isBrief: boolean) => Math.max(...shown.map((item) => riskWords(item, isBrief).length));
  const most = width < LEAST_WITH_WHERE ? 0 : Math.min(WHERE_WIDTH, Math.floor(width * 0.3));
  const widest = (isShort: boolean) => Math.max(...shown.map((item) => cellsOf(whereOf(item, isShort))));
  const isShort = most < WHERE_WIDTH && widest(false) > most;
  const where = Math.min(most, widest(isShort));
  // Blanks stand between them.
  const room = Math.max(0, width - MARK_WIDTH - where - age - 3);
  const isBrief = room - risksOf(false) < LEAST_ASKED;
  const risk = risksOf(isBrief);
  const question = Math.max(0, room - risk);
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
          isBrief={isBrief}
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
  /** Nor for more than a word for what a yes may lead to. */
  readonly isBrief: boolean;
  readonly width: number;
};

function InboxLine({ item, command, cursor, widths, isShort, isBrief, width }: InboxLineProps) {
  const color = riskColor(item.risk);
  const age = useSince(item.askedAt);
  const question = useMemo(() => worstPart(command) ?? requestTitle(item), [item, command]);
  const state = `${item.approval ? '!' : '?'} ${riskWords(item, isBrief).padEnd(widths.risk)} `;
  const where = widths.where > 0 ? fill(fitMiddle(whereOf(item, isShort), widths.where), widths.where) : '';
  const hasEnds = item.approval !== undefined && widths.question >= LEAST_ASKED;
  const asked = ` ${fill(hasEnds ? fitMiddle(question, widths.question) : question, widths.question)}`;
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

const briefWords: Readonly<Partial<Record<Risk, string>>> = {
  changed: 'changed',
  destroys: 'destroys',
  sends: 'sends',
  rights: 'rights',
  commands: 'command',
  unsaid: 'unknown',
  outside: 'outside',
  edits: 'edits',
  reads: 'reads',
};

/** What a yes may lead to, or what it is that asks: in one word where there is room for no more. */
function riskWords(item: InboxItem, isBrief: boolean): string {
  return (isBrief ? briefWords[item.risk] : undefined) ?? riskText(item);
}

/** Its word says how great a risk is. Red is for what has failed. */
function riskColor(risk: Risk): string {
  return risk === 'none' || risk === 'reads' ? colors.focus : colors.warning;
}
