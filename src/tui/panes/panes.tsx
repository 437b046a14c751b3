import { Box } from 'ink';
import type { ReactNode } from 'react';
import type { AgentOutput } from '../text/agent-output.ts';
import { stripAgentLine } from '../../lib/text/sanitise.ts';
import { currentPane } from '../screen/browsing.ts';
import type { Layout } from '../terminal/layout.ts';
import type { ScreenState } from '../screen/screen-state.ts';
import { besidePane } from '../feed/use-beside.ts';
import type { ShownDetail } from '../feed/use-detail.ts';
import { allPanes } from './all-panes.ts';
import { Beside } from './beside.tsx';
import { Detail } from './detail.tsx';
import { Facts } from './facts.tsx';
import { Line } from './line.tsx';
import type { Pane } from './pane.ts';
import { Rule } from './rule.tsx';
import { TabRule } from './tab-rule.tsx';
import { SprintEvents } from './sprint-events.tsx';
import { Tasks } from './tasks.tsx';

type PanesProps = {
  readonly state: ScreenState;
  readonly detail: ShownDetail;
  readonly output: AgentOutput;
  readonly layout: Layout;
  /** Stands in place of a second pane, where there is room for two: the question. */
  readonly children?: ReactNode;
};

/** The tasks and what there is to see of one of them: side by side, or one of them where there is no room for both. */
export function Panes({ state, detail, output, layout, children }: PanesProps) {
  const { isNarrow, columns, outputWidth, besideWidth, bodyRows, underRows } = layout;
  const { area } = state.browsing;
  const pane = currentPane(state);
  const isBrowsing = state.focus.at === 'sprint' || state.focus.at === 'filter';
  const isIn = (which: typeof area) => isBrowsing && area === which;
  const left = <Left state={state} task={detail.task} hasKeys={isIn('tasks')} layout={layout} />;

  if (isNarrow) {
    if (area !== 'detail') return left;
    const title = detail.task === undefined ? pane.title : `${pane.title} · ${stripAgentLine(detail.task)}`;
    return (
      <Box flexDirection="column">
        <Rule width={columns} title={title} note={detail.view.part} />
        <Detail view={detail.view} width={outputWidth} height={bodyRows} />
      </Box>
    );
  }
  const about = stripAgentLine(detail.task ?? '');
  const beside = besideWidth > 0 && !children ? besidePane(state) : undefined;
  const leftmost = beside ? allPanes[0] : pane;
  const joinsAt = joinsOf(layout, detail.task);
  const column = (which: Pane, tabs: readonly Pane[], width: number, name: string) => {
    const isPicked = which === pane;
    const size = { width, height: bodyRows };
    return (
      <Box flexDirection="column" flexShrink={0}>
        <TabRule
          pane={which}
          tabs={tabs}
          about={name}
          part={isPicked ? detail.view.part : ''}
          isPicked={isPicked}
          isFocused={isPicked && isIn('detail')}
          width={width + 1}
        />
        <Box>
          <Line rows={bodyRows} joinsAt={which === leftmost ? joinsAt : undefined} />
          {isPicked ? (
            <Detail view={detail.view} {...size} />
          ) : (
            <Beside state={state} output={output} pane={which} task={detail.task} {...size} />
          )}
        </Box>
      </Box>
    );
  };
  if (!beside)
    return (
      <Box>
        {left}
        {column(pane, allPanes, outputWidth, about)}
        {children && (
          <Box>
            <Line rows={bodyRows + 1} start="┬" branchAt={underRows > 0 ? bodyRows - underRows : undefined} />
            {children}
          </Box>
        )}
      </Box>
    );
  // Each pane stays on its side, whichever keys move in.
  const isLeft = (each: Pane) => each === allPanes[0];
  const [first, second] = isLeft(pane) ? [pane, beside] : [beside, pane];
  return (
    <Box>
      {left}
      {column(first, allPanes.filter(isLeft), outputWidth, about)}
      {column(
        second,
        allPanes.filter((each) => !isLeft(each)),
        besideWidth,
        '',
      )}
    </Box>
  );
}

/** Rows of the panes where a rule in the left column ends. */
function joinsOf({ listRows, factsRows, eventRows }: Layout, task: string | undefined): readonly number[] {
  if (factsRows === 0 || task === undefined) return [];
  return eventRows > 0 ? [listRows, listRows + 1 + factsRows] : [listRows];
}

type LeftProps = {
  readonly state: ScreenState;
  readonly task: string | undefined;
  /** Keys move in the list. */
  readonly hasKeys: boolean;
  readonly layout: Layout;
};

/** The list of tasks, what there is to say of the one that is picked, and what has happened last in all of them. */
function Left({ state, task, hasKeys, layout }: LeftProps) {
  const { tasksWidth, listRows, factsRows, eventRows, isNarrow } = layout;
  const { sprint, titles } = state;
  const picked = factsRows > 0 ? sprint.tasks.find(({ id }) => id === task) : undefined;
  return (
    <Box flexDirection="column" flexShrink={0} width={tasksWidth}>
      <Tasks
        state={state}
        task={task}
        hasKeys={hasKeys}
        isMarked={hasKeys && !isNarrow}
        width={tasksWidth}
        rows={listRows}
      />
      {picked && (
        <Facts
          task={picked}
          title={titles.get(picked.id)}
          tasks={sprint.tasks}
          isQueued={sprint.queuedAt !== undefined}
          width={tasksWidth}
          rows={factsRows}
        />
      )}
      {picked && eventRows > 0 && <SprintEvents state={state} width={tasksWidth} rows={eventRows} />}
    </Box>
  );
}
