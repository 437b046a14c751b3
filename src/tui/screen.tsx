import { useSelector } from '@xstate/react';
import { Box, Text, useInput, usePaste, useWindowSize } from 'ink';
import { useMemo } from 'react';
import type { AgentOutput } from './agent-output.ts';
import { answerRows } from './answer-box.tsx';
import { Header } from './header.tsx';
import { Hints } from './hints.tsx';
import { layOut, mostRemarks } from './layout.ts';
import { Panes } from './panes.tsx';
import { questionLines } from './question-lines.ts';
import { QuestionBox } from './question-box.tsx';
import { remarksOf } from './remarks.ts';
import { Rule } from './rule.tsx';
import type { ScreenActor } from './screen-actor.ts';
import { currentDraft, currentQuestion } from './screen-state.ts';
import type { Room } from './screen-state.ts';
import { readStrokes } from './strokes.ts';
import { useArming } from './use-arming.ts';

/** Cells of a question's line that hold no text: the margin, the bar and a blank. */
const BAR_WIDTH = 4;

/** The whole screen of a sprint: it draws the actor's state and sends it the keys. */
export function Screen({ actor, output }: { actor: ScreenActor; output: AgentOutput }) {
  const state = useSelector(actor, ({ context }) => context);
  const { columns, rows } = useWindowSize();
  useArming(actor, state.focus);

  const question = currentQuestion(state);
  const lines = useMemo(
    () => (question ? questionLines(question, columns - BAR_WIDTH) : []),
    [question, columns],
  );
  const remarks = remarksOf(state, columns).slice(0, mostRemarks(rows));
  const layout = layOut({
    columns,
    rows,
    questionLines: question ? lines.length : undefined,
    answerLines: answerRows(currentDraft(state), columns).length,
    remarkLines: remarks.length,
  });
  const { isTooSmall, isNarrow } = layout;
  const shownOutput = output.read(state.outputEnd?.task);
  const room: Room = {
    isNarrow,
    questionPage: Math.max(1, layout.questionRows - 1),
    questionMax: Math.max(0, lines.length - layout.questionRows),
    outputPage: layout.bodyRows,
    output: shownOutput && {
      task: shownOutput.task,
      first: shownOutput.dropped,
      end: shownOutput.dropped + shownOutput.lines.length,
    },
  };

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
  const showsQuestion = question !== undefined && (!isNarrow || state.pane === 'question');
  return (
    <Box flexDirection="column" width="100%" height={rows} overflow="hidden">
      <Header sprint={state.sprint} columns={columns} />
      {(!isNarrow || !showsQuestion) && <Panes state={state} output={shownOutput} layout={layout} />}
      {showsQuestion && <QuestionBox state={state} question={question} lines={lines} layout={layout} />}
      {!showsQuestion && !isNarrow && <Rule width={columns} jointAt={layout.tasksWidth} />}
      {remarks.map(({ text, color }, at) => (
        <Text key={at} wrap="truncate" {...(color ? { color } : {})}>
          {` ${text}`}
        </Text>
      ))}
      <Hints situation={{ state, isNarrow, canScrollQuestion: room.questionMax > 0 }} width={columns} />
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
