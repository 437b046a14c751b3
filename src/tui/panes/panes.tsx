import { Box, Text } from 'ink';
import type { TaskOutput } from '../text/agent-output.ts';
import type { Layout } from '../screen/layout.ts';
import { outputRows } from '../text/output-rows.ts';
import { Rule } from './rule.tsx';
import { stripAgentLine } from '../../lib/text/sanitise.ts';
import { currentQuestion, type ScreenState } from '../screen/screen-state.ts';
import { TaskList } from './task-list.tsx';
import { colors } from '../screen/theme.ts';

type PanesProps = {
  readonly state: ScreenState;
  readonly output: TaskOutput | undefined;
  readonly layout: Layout;
};

/** Tasks and output side by side, or one of them where there is no room for both. */
export function Panes({ state, output, layout }: PanesProps) {
  const { isNarrow, columns, tasksWidth, outputWidth, bodyRows } = layout;
  const { tasks } = state.sprint;
  const focus = currentQuestion(state)?.task ?? tasks.find(({ state }) => state === 'active')?.id;
  const outputTitle = output ? `Output · ${stripAgentLine(output.task)}` : 'Output';
  const list = <TaskList tasks={tasks} focus={focus} width={tasksWidth} rows={bodyRows} />;
  const pane = <OutputPane output={output} end={state.outputEnd?.line} width={outputWidth} rows={bodyRows} />;

  if (isNarrow) {
    const showsOutput = state.pane === 'output';
    return (
      <Box flexDirection="column">
        <Rule width={columns} title={showsOutput ? outputTitle : 'Tasks'} />
        <Box height={bodyRows}>{showsOutput ? pane : list}</Box>
      </Box>
    );
  }
  return (
    <Box flexDirection="column">
      <Box>
        <Rule width={tasksWidth} title="Tasks" />
        <Rule width={outputWidth + 1} title={outputTitle} start="┬" />
      </Box>
      <Box height={bodyRows}>
        <Box width={tasksWidth}>{list}</Box>
        <Box
          borderStyle="single"
          borderTop={false}
          borderRight={false}
          borderBottom={false}
          borderDimColor
          width={outputWidth + 1}
          height={bodyRows}
        >
          {pane}
        </Box>
      </Box>
    </Box>
  );
}

type OutputPaneProps = {
  readonly output: TaskOutput | undefined;
  /** Number of the line behind the last to show; `undefined`: follow. */
  readonly end: number | undefined;
  readonly width: number;
  readonly rows: number;
};

/** What an agent wrote: the rows that fit. The text has to be clean already. */
function OutputPane({ output, end, width, rows }: OutputPaneProps) {
  if (!output) return <Text dimColor>{' No output yet'}</Text>;
  const isBack = end !== undefined;
  const shown = outputRows(output, { end, width: width - 2, height: isBack ? rows - 1 : rows });
  return (
    <Box flexDirection="column" paddingX={1} width={width} height={rows} overflow="hidden">
      <Text wrap="truncate">{shown.rows.map((row) => (row === '' ? ' ' : row)).join('\n')}</Text>
      {isBack && <Text color={colors.warning}>{`▼ ${shown.newer} newer`}</Text>}
    </Box>
  );
}
