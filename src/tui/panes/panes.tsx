import { Box, Text } from 'ink';
import type { TaskOutput } from '../text/agent-output.ts';
import type { Layout } from '../screen/layout.ts';
import { outputRows } from '../text/output-rows.ts';
import { Rule } from './rule.tsx';
import { stripAgentLine } from '../../lib/text/sanitise.ts';
import { currentQuestion, type ScreenState } from '../screen/screen-state.ts';
import { TaskList } from './task-list.tsx';
import { useSince } from '../screen/clock.ts';
import { colors } from '../screen/theme.ts';
import { progressText, type SilentTask } from '../text/silent-task.ts';

type PanesProps = {
  readonly state: ScreenState;
  readonly output: TaskOutput | undefined;
  /** Its agent has been started, and has written nothing since. */
  readonly silent: SilentTask | undefined;
  readonly layout: Layout;
};

/** Tasks and output side by side, or one of them where there is no room for both. */
export function Panes({ state, output, silent, layout }: PanesProps) {
  const { isNarrow, columns, tasksWidth, outputWidth, bodyRows } = layout;
  const { tasks } = state.sprint;
  const focus = currentQuestion(state)?.task ?? tasks.find(({ state }) => state === 'active')?.id;
  const shownTask = output?.task ?? silent?.id;
  const outputTitle = shownTask === undefined ? 'Output' : `Output · ${stripAgentLine(shownTask)}`;
  const list = <TaskList tasks={tasks} focus={focus} width={tasksWidth} rows={bodyRows} />;
  const begins = state.isOwner && state.sprint.version === 0;
  const size = { width: outputWidth, rows: bodyRows };
  const pane = output ? (
    <OutputPane output={output} silent={silent} end={state.outputEnd?.line} {...size} />
  ) : (
    <NoOutput silent={silent} begins={begins} />
  );

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
  readonly output: TaskOutput;
  readonly silent: SilentTask | undefined;
  /** Number of the line behind the last to show; `undefined`: follow. */
  readonly end: number | undefined;
  readonly width: number;
  readonly rows: number;
};

/** What an agent wrote: the rows that fit. The text has to be clean already. */
function OutputPane({ output, silent, end, width, rows }: OutputPaneProps) {
  const isBack = end !== undefined;
  const last = isBack || silent !== undefined ? 1 : 0;
  const shown = outputRows(output, { end, width: width - 2, height: rows - last });
  return (
    <Box flexDirection="column" paddingX={1} width={width} height={rows} overflow="hidden">
      <Text wrap="truncate">{shown.rows.map((row) => (row === '' ? ' ' : row)).join('\n')}</Text>
      {isBack && <Text color={colors.warning}>{`▼ ${shown.newer} newer`}</Text>}
      {!isBack && silent && <Progress silent={silent} isNamed={silent.id !== output.task} />}
    </Box>
  );
}

function NoOutput({ silent, begins }: { silent: SilentTask | undefined; begins: boolean }) {
  return (
    <Box paddingX={1}>
      {silent ? (
        <Progress silent={silent} />
      ) : (
        <Text dimColor>{begins ? 'Preparing the sprint…' : 'No output yet'}</Text>
      )}
    </Box>
  );
}

/** How far an agent is that has written nothing yet. */
function Progress({ silent: { id, agent }, isNamed = false }: { silent: SilentTask; isNamed?: boolean }) {
  const since = useSince(agent.connectedAt ?? agent.startedAt);
  const named = isNamed ? `${stripAgentLine(id)}: ` : '';
  return <Text dimColor wrap="truncate">{`${named}${progressText(agent, since)}`}</Text>;
}
