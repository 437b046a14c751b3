import { useSelector } from '@xstate/react';
import { Box, Text, useInput, usePaste, useWindowSize } from 'ink';
import { useMemo } from 'react';
import { useMouse } from '../mouse/mouse-areas.ts';
import type { Question } from '../../views/sprint-view.ts';
import type { AgentOutput } from '../text/agent-output.ts';
import { helpSections } from '../keys/help-sections.ts';
import { HelpPane } from '../panes/help-pane.tsx';
import { PalettePane } from '../palette/palette-pane.tsx';
import { ResultPane, useResultRows } from '../palette/result-pane.tsx';
import { helpRows } from '../text/help-rows.ts';
import { useDetail } from './use-detail.ts';
import { answerRows } from '../panes/answer-box.tsx';
import { approvalRows, batchRows } from '../text/approval-lines.ts';
import { wideScopes } from '../keys/decide-call.ts';
import { Header } from '../panes/header.tsx';
import { Hints } from '../panes/hints.tsx';
import { divide, layOut, mostRemarks, type Contents, type Layout } from './layout.ts';
import { Panes } from '../panes/panes.tsx';
import { questionRows } from '../text/question-lines.ts';
import { optionRowCount } from '../text/option-rows.ts';
import { PAST_BAR_ROWS, PastBar } from '../past/past-bar.tsx';
import { RecordedQuestion } from '../past/recorded-question.tsx';
import { ActBox } from '../panes/act-box.tsx';
import { actLines } from '../text/act-lines.ts';
import { QuestionBox } from '../panes/question-box.tsx';
import { remarksOf, stopText } from './remarks.ts';
import { SummaryPane } from '../panes/summary-pane.tsx';
import { summaryRows } from '../text/summary-rows.ts';
import { useSecondsTo } from './clock.ts';
import { useSuspend } from './use-suspend.ts';
import { Rule } from '../panes/rule.tsx';
import type { ScreenActor } from './screen-actor.ts';
import { batchOf, currentQuestion } from './current-question.ts';
import type { Room } from './room.ts';
import type { ScreenState } from './screen-state.ts';
import { currentDraft, isTyping } from './drafts.ts';
import { isActing } from './focus.ts';
import { readStrokes } from '../keys/strokes.ts';
import { ToolApprovalCard } from '../panes/tool-approval-card.tsx';
import { useArming } from './use-arming.ts';

/** Cells of a question's line that hold no text: the margin, the bar and a blank. */
const BAR_WIDTH = 4;

/** What a screen takes that cannot show anything. */
const waysOut: ReadonlySet<string> = new Set(['ctrl+c', 'ctrl+z']);

/** The whole screen of a sprint: it draws the actor's state and sends it the keys. */
export function Screen({
  actor,
  output,
  onKey,
}: {
  actor: ScreenActor;
  output: AgentOutput;
  onKey?: (() => void) | undefined;
}) {
  const state = useSelector(actor, ({ context }) => context);
  const { columns, rows } = useWindowSize();
  useSuspend(actor);

  const act = isActing(state.focus) ? state.focus : undefined;
  const { boxWidth } = divide(columns);
  const aboutAct = act ? actLines(act, state, boxWidth - 2) : undefined;
  const question = act ? undefined : currentQuestion(state);
  const approval = question?.approval;
  const { lines, callRows } = useQuestionRows(state, question, boxWidth - BAR_WIDTH);
  const lineCount = approval ? callRows.length : lines.length;
  const secondsLeft = useSecondsTo(state.isStopping ? state.endsAt : undefined);
  const remarks = remarksOf(state, columns, secondsLeft).slice(0, mostRemarks(rows));
  const layout = layOut({
    columns,
    rows,
    tasks: state.sprint.tasks.length,
    questionLines: question ? lineCount : aboutAct?.length,
    ...roomForAnswer(state, boxWidth),
    optionLines: approval || state.past ? 0 : optionLinesOf(question, { width: boxWidth, rows }),
    remarkLines: remarks.length + (state.past ? PAST_BAR_ROWS : 0),
  });
  const { isTooSmall, isNarrow } = layout;
  const isHidden = question !== undefined && isNarrow && state.browsing.area !== 'question';
  useArming(actor, {
    focus: state.focus,
    isCall: approval !== undefined,
    isSeen: !isTooSmall && !(isHidden && isAboutQuestion(state.focus)),
  });
  const detail = useDetail(state, output, layout.outputWidth, layout.bodyRows);
  const help = state.focus.at === 'help' ? helpRows(helpSections({ state }), columns - 2) : [];
  // Header, rule and hints.
  const helpHeight = rows - 3;
  const summary =
    state.focus.at === 'over' && state.summary ? summaryRows(state.summary, state.sprint, columns - 2) : [];
  const overHeight = helpHeight - remarks.length;
  const overMax = Math.max(0, summary.length - overHeight);
  const result = useResultRows(state, columns - 2);
  const resultMax = Math.max(0, result.length - helpHeight);
  const room: Room = {
    result: { page: Math.max(1, helpHeight - 1), max: resultMax },
    overMax,
    isNarrow,
    isTooSmall,
    questionPage: Math.max(1, layout.questionRows - 1),
    questionMax: Math.max(0, lineCount - layout.questionRows),
    tasksPage: layout.listRows,
    helpMax: Math.max(0, help.length - helpHeight),
    detail: detail.room,
  };

  useMouse((pointed) => {
    onKey?.();
    if (!isTooSmall) actor.send({ type: 'mouse', pointed, room });
  });
  useInput((input, key) => {
    onKey?.();
    const strokes = readStrokes(input, key);
    // What cannot be seen must not act; only the way out stays open.
    const allowed = isTooSmall
      ? strokes.filter((stroke) => 'key' in stroke && waysOut.has(stroke.key))
      : strokes;
    if (allowed.length > 0) actor.send({ type: 'keys', strokes: allowed, room });
  });
  usePaste((text) => {
    onKey?.();
    if (!isTooSmall) actor.send({ type: 'paste', text });
  });

  if (isTooSmall) return <TooSmall state={state} columns={columns} rows={rows} />;
  const situation = { state, isNarrow, canScrollQuestion: room.questionMax > 0 };
  const hints = <Hints situation={situation} width={columns} />;
  if (state.focus.at === 'help') {
    return (
      <Box flexDirection="column" width="100%" height={rows} overflow="hidden">
        <Header sprint={state.sprint} columns={columns} />
        <HelpPane
          rows={help}
          top={Math.min(state.focus.top, room.helpMax)}
          width={columns}
          height={helpHeight}
        />
        {hints}
      </Box>
    );
  }
  const { past } = state;
  const below = remarks.map(({ text, color }, at) => (
    <Text key={at} wrap="truncate" {...(color ? { color } : {})}>
      {` ${text}`}
    </Text>
  ));
  if (state.focus.at === 'palette' || state.focus.at === 'result') {
    return (
      <Box flexDirection="column" width="100%" height={rows} overflow="hidden">
        <Header sprint={state.sprint} columns={columns} />
        {state.focus.at === 'palette' ? (
          <PalettePane situation={situation} width={columns} height={rows - 2 - remarks.length} />
        ) : (
          <ResultPane
            result={state.palette.result}
            rows={result}
            top={Math.min(state.focus.top, resultMax)}
            width={columns}
            height={helpHeight}
          />
        )}
        {state.focus.at === 'palette' && below}
        {hints}
      </Box>
    );
  }
  if (state.focus.at === 'over') {
    return (
      <Box flexDirection="column" width="100%" height={rows} overflow="hidden">
        <Header sprint={state.sprint} columns={columns} />
        <SummaryPane
          rows={summary}
          top={Math.min(state.focus.top, overMax)}
          width={columns}
          height={overHeight}
        />
        {below}
        {hints}
      </Box>
    );
  }
  const showsQuestion = question !== undefined && (!isNarrow || state.browsing.area === 'question');
  const showsBox = showsQuestion || act !== undefined;
  const isBeside = layout.besideWidth > 0;
  // Beside the panes it has a column of its own.
  const box = { state, layout: isBeside ? { ...layout, columns: boxWidth, tasksWidth: -1 } : layout };
  const asked = showsBox ? (
    <>
      {showsQuestion && past && (
        <RecordedQuestion {...box} question={question} rows={approval ? callRows : lines} />
      )}
      {showsQuestion && !past && approval && (
        <ToolApprovalCard {...box} question={question} rows={callRows} />
      )}
      {showsQuestion && !past && !approval && <QuestionBox {...box} question={question} lines={lines} />}
      {act && <ActBox {...box} act={act} lines={aboutAct ?? []} />}
    </>
  ) : undefined;
  return (
    <Box flexDirection="column" width="100%" height={rows} overflow="hidden">
      <Header sprint={state.sprint} columns={columns} isStill={past !== undefined} />
      {(!isNarrow || !showsBox) && (
        <Panes state={state} detail={detail} output={output} layout={layout}>
          {isBeside && asked && <Box flexDirection="column">{asked}</Box>}
        </Panes>
      )}
      {!isBeside && asked}
      {!isNarrow && (isBeside || !asked) && <Rule width={columns} jointsAt={jointsOf(layout)} />}
      {below}
      {past && <PastBar past={past} width={columns} />}
      {hints}
    </Box>
  );
}

/** Where the lines between columns end. */
function jointsOf({ tasksWidth, outputWidth, besideWidth }: Layout): readonly number[] {
  return besideWidth > 0 ? [tasksWidth, tasksWidth + outputWidth + 1] : [tasksWidth];
}

/** What is armed there is on the card of a question, or in its box. */
function isAboutQuestion({ at }: ScreenState['focus']): boolean {
  return at === 'arming' || at === 'scope' || at === 'batch' || at === 'confirm';
}

/** The question that is shown, in lines of this width; of calls that wait, their cards. */
function useQuestionRows(state: ScreenState, question: Question | undefined, width: number) {
  const { focus, sprint } = state;
  const isPast = state.past !== undefined;
  const approval = question?.approval;
  const lines = useMemo(
    () => (question && !question.approval ? questionRows(question, width, { withOptions: isPast }) : []),
    [question, width, isPast],
  );
  const revealed = question && state.revealed.get(question.id);
  const offer = question && state.offers.get(question.id);
  const command = question && state.commands.get(question.id);
  const batch = useMemo(() => batchOf({ focus, sprint }), [focus, sprint]);
  const callRows = useMemo(() => {
    if (batch.length > 0) return batchRows(batch, width, state.revealed);
    return approval ? approvalRows(approval, width, { revealed, offer, command }) : [];
  }, [approval, width, revealed, offer, command, batch, state.revealed]);
  return { lines, callRows };
}

/** From so many rows on, options stand apart from their question. */
const APART_ROWS = 30;

function optionLinesOf(
  question: Question | undefined,
  { width, rows }: { readonly width: number; readonly rows: number },
): number {
  const { options = [], isMultiple = false } = question ?? {};
  const marked = isMultiple ? [] : undefined;
  const lines = optionRowCount({ options, marked, width: width - BAR_WIDTH });
  return lines === 0 || rows < APART_ROWS ? lines : lines + 1;
}

/** What the answer to the question that is shown needs: a box for words, or lines for keys. */
function roomForAnswer(state: ScreenState, columns: number): Pick<Contents, 'answerLines' | 'isBoxed'> {
  const { at } = state.focus;
  if (state.past) return { answerLines: 1, isBoxed: false };
  if (!currentQuestion(state)?.approval || isTyping(state) || isActing(state.focus))
    return { answerLines: answerRows(currentDraft(state), columns).length, isBoxed: true };
  return { answerLines: at === 'scope' ? wideScopes(state).length : 1, isBoxed: false };
}

function TooSmall({ state, columns, rows }: { state: ScreenState; columns: number; rows: number }) {
  const { focus, isStopping, isOwner } = state;
  const way = isOwner ? 'Ctrl+C stops' : 'Ctrl+C leaves';
  const asked = focus.at === 'stop' ? stopText({ ...state, focus: { ...focus, key: 'Ctrl-C' } }) : way;
  return (
    <Box width="100%" height={rows} overflow="hidden" flexDirection="column">
      <Text>Terminal too small</Text>
      <Text dimColor>{`${columns}×${rows}, needs 40×10`}</Text>
      <Text>{isStopping ? 'Stopping. Ctrl+C ends all at once' : asked}</Text>
    </Box>
  );
}
