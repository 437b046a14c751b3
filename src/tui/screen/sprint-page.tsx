import { Box } from 'ink';
import { useContext } from 'react';
import { stripAgentLine } from '../../lib/text/sanitise.ts';
import { hintsOf } from '../keys/keymap.ts';
import { ActBox } from '../panes/act-box.tsx';
import { Beside } from '../panes/beside.tsx';
import { CardKeys } from '../panes/card-keys.tsx';
import { FoldedQuestion } from '../panes/folded-question.tsx';
import { Panes } from '../panes/panes.tsx';
import { QuestionBox } from '../panes/question-box.tsx';
import { Rule } from '../panes/rule.tsx';
import { ToolApprovalCard } from '../panes/tool-approval-card.tsx';
import { RecordedQuestion } from '../past/recorded-question.tsx';
import type { AgentOutput } from '../text/agent-output.ts';
import type { Layout } from '../terminal/layout.ts';
import { besidePane } from '../feed/use-beside.ts';
import { isWaiting, named } from './armed.ts';
import { showsAsked, type ShownScreen } from './use-shown-screen.ts';
import { inKeyWords, KeyWordsContext } from '../keys/key-words.ts';

/** The tasks, the panes beside them, and what is asked: beside those, below them, or in their place. */
export function SprintPage({ shown, output }: { shown: ShownScreen; output: AgentOutput }) {
  const { state, layout, detail } = shown;
  const { isNarrow, columns, besideWidth } = layout;
  const isBeside = besideWidth > 0;
  const asked = showsAsked(shown) ? <AskedBox shown={shown} /> : undefined;
  return (
    <>
      {(!isNarrow || !asked) && (
        <Panes state={state} detail={detail} output={output} layout={layout}>
          {isBeside && asked && (
            <Box flexDirection="column">
              {asked}
              <Keys shown={shown} />
              {layout.underRows > 0 && <Under shown={shown} output={output} />}
            </Box>
          )}
        </Panes>
      )}
      {!isBeside && asked}
      {!isNarrow && (isBeside || !asked) && <Rule width={columns} jointsAt={jointsOf(layout)} />}
    </>
  );
}

function AskedBox({ shown: { state, layout, asked } }: { shown: ShownScreen }) {
  const { question, act, rows, actLines } = asked;
  // Beside the panes it has a column of its own.
  const column = { ...layout, columns: layout.boxWidth, tasksWidth: -1 };
  const box = { state, layout: layout.besideWidth > 0 ? column : layout };
  if (act) return <ActBox {...box} act={act} lines={actLines} />;
  if (!question) return null;
  if (state.past) return <RecordedQuestion {...box} question={question} rows={rows} />;
  if (layout.isFolded) return <FoldedQuestion {...box} question={question} />;
  if (question.approval) return <ToolApprovalCard {...box} question={question} rows={rows} />;
  return <QuestionBox {...box} question={question} lines={rows} />;
}

/** The keys of what is asked, right below it. */
function Keys({ shown: { state, layout, room } }: { shown: ShownScreen }) {
  const isInWords = useContext(KeyWordsContext);
  const { keyRows, boxWidth } = layout;
  if (keyRows === 0) return null;
  const { focus } = named(state);
  const situation = { state: named(state), canScrollQuestion: room.questionMax > 0 };
  const hints = inKeyWords(hintsOf(situation, room), isInWords);
  const width = boxWidth;
  return <CardKeys at={focus.at} hints={hints} width={width} rows={keyRows} isWaiting={isWaiting(state)} />;
}

/** What it leaves of its column is for the second pane, which would stand there if nothing were asked. */
function Under({ shown: { state, layout, detail }, output }: { shown: ShownScreen; output: AgentOutput }) {
  const { boxWidth: width, underRows: height } = layout;
  const pane = besidePane(state);
  // It may be another task than the one that asks.
  const about = detail.task === undefined ? '' : ` · ${stripAgentLine(detail.task)}`;
  return (
    <>
      <Rule width={width} title={pane.title + about} />
      <Beside state={state} output={output} pane={pane} task={detail.task} width={width} height={height} />
    </>
  );
}

/** Where the lines between columns end. */
function jointsOf({ tasksWidth, outputWidth, besideWidth }: Layout): readonly number[] {
  return besideWidth > 0 ? [tasksWidth, tasksWidth + outputWidth + 1] : [tasksWidth];
}
