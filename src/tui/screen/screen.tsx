import { useSelector } from '@xstate/react';
import { Box, Text } from 'ink';
import { useContext } from 'react';
import type { AgentOutput } from '../text/agent-output.ts';
import type { KeyName, Situation } from '../keys/binding.ts';
import { Header } from '../panes/header.tsx';
import { namesWayThere } from '../panes/folded-question.tsx';
import { Hints } from '../panes/hints.tsx';
import { PagePane } from '../panes/page-pane.tsx';
import { decidingKeys, rowsOnCard } from '../panes/card-keys.tsx';
import { hintsOf } from '../keys/keymap.ts';
import { cellsOf } from '../../lib/text/cells.ts';
import { RemarkLines } from '../panes/remark-lines.tsx';
import { SpanRow } from '../panes/span-row.tsx';
import { paletteItems } from '../palette/palette-items.ts';
import { PalettePane } from '../palette/palette-pane.tsx';
import { ResultPane } from '../palette/result-pane.tsx';
import { PastBar } from '../past/past-bar.tsx';
import { helpTitle } from '../text/help-rows.ts';
import type { SummaryRow } from '../text/summary-rows.ts';
import { armed, isWaiting, named } from './armed.ts';
import type { Focus } from './focus.ts';
import type { ScreenActor } from './screen-actor.ts';
import { SprintPage } from './sprint-page.tsx';
import { TooSmall, wayOut } from '../terminal/too-small.tsx';
import { isReviewing } from '../drafts/form-state.ts';
import { decidesAlone } from './take-input.ts';
import { useArming, useDisarming, useOffer, useReading } from './use-arming.ts';
import { useProcesses } from '../feed/use-processes.ts';
import { useScreenInput } from '../terminal/use-screen-input.ts';
import { showsAsked, useShownScreen, type ShownScreen } from './use-shown-screen.ts';
import { useSuspend } from '../terminal/use-suspend.ts';
import { inKeyWords, KeyWordsContext } from '../keys/key-words.ts';

type ScreenProps = {
  readonly actor: ScreenActor;
  readonly output: AgentOutput;
  readonly onKey?: (() => void) | undefined;
  readonly onAway?: ((isAway: boolean) => void) | undefined;
};

/** The whole screen of a sprint: it draws the actor's state and sends it the keys. */
export function Screen({ actor, output, onKey, onAway }: ScreenProps) {
  const now = useSelector(actor, ({ context }) => context);
  const offer = useOffer(now.focus);
  const shown = useShownScreen(offer.isOffered ? armed(now) : now, output);
  const { state } = shown;
  const { columns, rows, isTooSmall, terminal } = shown.size;
  const { question } = shown.asked;
  const isInWords = useContext(KeyWordsContext);
  useSuspend(actor, onAway);
  useArming(actor, {
    ...offer,
    focus: now.focus,
    isActing: !question || question.approval !== undefined || isReviewing(state),
    isSeen: !isTooSmall && !(isHidden(shown) && isAboutQuestion(now.focus)),
  });
  useDisarming(actor);
  useProcesses(actor, { isPast: now.past !== undefined });
  useReading(actor, { state: now, isAtEnd: shown.isAtEnd });
  useScreenInput(actor, {
    room: shown.room,
    isTooSmall,
    decides: (stroke) => decidesAlone(actor.getSnapshot().context, stroke),
    onKey,
  });

  if (isTooSmall) return <TooSmall way={wayOut(state)} {...terminal} />;
  const situation = { state, canScrollQuestion: shown.room.questionMax > 0 };
  const hints = inKeyWords(hintsOf({ ...situation, state: named(state) }, shown.room), isInWords);
  return (
    <Box flexDirection="column" width="100%" height={rows} overflow="hidden">
      <Header
        sprint={state.sprint}
        among={state.among}
        columns={columns}
        isStill={state.past !== undefined}
      />
      <Page shown={shown} situation={situation} output={output} />
      <Hints
        hints={hints}
        width={columns}
        said={saidOnCard(shown, hints)}
        deciding={decidingKeys(named(state).focus.at, hints)}
        isWaiting={isWaiting(state)}
      />
    </Box>
  );
}

type PageProps = {
  readonly shown: ShownScreen;
  readonly situation: Situation;
  readonly output: AgentOutput;
};

/** What stands between the header and the hints. */
function Page({ shown, situation, output }: PageProps) {
  const { state, layout, pages, remarks } = shown;
  const { focus, palette, past } = state;
  const { columns: width, rows } = layout;
  const below = <RemarkLines remarks={remarks} />;
  switch (focus.at) {
    case 'help':
      return (
        <PagePane title={helpTitle(focus)} page={pages.help} top={focus.top} width={width}>
          {(spans) => <SpanRow spans={spans} />}
        </PagePane>
      );
    case 'result':
      return <ResultPane result={palette.result} page={pages.result} top={focus.top} width={width} />;
    case 'palette':
      return (
        <>
          <PalettePane
            focus={focus}
            items={paletteItems(situation)}
            titles={state.titles}
            placeholder="What to do, a task, or / for a command"
            width={width}
            height={rows - 2 - remarks.length}
          />
          {below}
        </>
      );
    case 'over':
      return (
        <>
          <PagePane title="Summary" page={pages.summary} top={focus.top} width={width}>
            {(row) => <SummaryLine {...row} />}
          </PagePane>
          {below}
        </>
      );
    default:
      return (
        <>
          <SprintPage shown={shown} output={output} />
          <Box flexDirection="column" paddingLeft={remarksAt(shown)}>
            {below}
          </Box>
          {past && <PastBar past={past} width={width} />}
        </>
      );
  }
}

function SummaryLine({ text, head, color }: SummaryRow) {
  return (
    <Text wrap="truncate">
      <Text {...(color ? { color } : { dimColor: true })}>{text === '' ? ' ' : text.slice(0, head)}</Text>
      {text.slice(head)}
    </Text>
  );
}

/** The keys that stand below the card, or on one that is folded. */
function saidOnCard(shown: ShownScreen, hints: readonly KeyName[]): readonly KeyName[] {
  const { state, layout, asked } = shown;
  const { keyRows: rows, boxWidth: width } = layout;
  if (!showsAsked(shown)) return [];
  if (layout.isFolded) return namesWayThere(state, asked.question) ? decidingKeys('sprint', hints) : [];
  if (rows === 0) return [];
  return rowsOnCard({ at: named(state).focus.at, hints, width, rows }).flat();
}

/** What is said of the card, below its column where that has room for it; else at the left. */
function remarksAt(shown: ShownScreen): number {
  const { state, layout, remarks } = shown;
  const { keyRows, boxWidth, tasksWidth, outputWidth } = layout;
  const { at } = state.focus;
  const isOfCard = keyRows > 0 && showsAsked(shown) && at !== 'sprint' && at !== 'filter';
  const fits = remarks.every(({ text }) => cellsOf(text) < boxWidth);
  return isOfCard && fits ? tasksWidth + outputWidth + 2 : 0;
}

/** A question is there that has to be gone to. */
function isHidden(shown: ShownScreen): boolean {
  return shown.asked.question !== undefined && !showsAsked(shown);
}

/** What is armed there is on the card of a question, or in its box. */
function isAboutQuestion({ at }: Focus): boolean {
  return at === 'arming' || at === 'scope' || at === 'batch' || at === 'confirm';
}
