import { Box } from 'ink';
import { stripAgentLine } from '../../lib/text/sanitise.ts';
import { currentPane } from '../screen/browsing.ts';
import type { Layout } from '../screen/layout.ts';
import type { ScreenState } from '../screen/screen-state.ts';
import type { ShownDetail } from '../screen/use-detail.ts';
import { Detail } from './detail.tsx';
import { Rule } from './rule.tsx';
import { TabRule } from './tab-rule.tsx';
import { Tasks } from './tasks.tsx';

type PanesProps = {
  readonly state: ScreenState;
  readonly detail: ShownDetail;
  readonly layout: Layout;
};

/** The tasks and what there is to see of one of them: side by side, or one of them where there is no room for both. */
export function Panes({ state, detail, layout }: PanesProps) {
  const { isNarrow, columns, tasksWidth, outputWidth, bodyRows } = layout;
  const { area } = state.browsing;
  const pane = currentPane(state);
  const view = <Detail view={detail.view} width={outputWidth} height={bodyRows} />;
  const isBrowsing = state.focus.at === 'sprint' || state.focus.at === 'filter';
  const isIn = (which: typeof area) => isBrowsing && area === which;
  const list = (
    <Tasks
      state={state}
      task={detail.task}
      isFocused={!isNarrow && isIn('tasks')}
      width={tasksWidth}
      rows={bodyRows}
    />
  );

  if (isNarrow) {
    if (area !== 'detail') return list;
    const title = detail.task === undefined ? pane.title : `${pane.title} · ${stripAgentLine(detail.task)}`;
    return (
      <Box flexDirection="column">
        <Rule width={columns} title={title} />
        <Box height={bodyRows}>{view}</Box>
      </Box>
    );
  }
  return (
    <Box>
      {list}
      <Box flexDirection="column">
        <TabRule
          pane={pane}
          about={stripAgentLine(detail.task ?? '')}
          isFocused={isIn('detail')}
          width={outputWidth + 1}
        />
        <Box
          borderStyle="single"
          borderTop={false}
          borderRight={false}
          borderBottom={false}
          borderDimColor
          width={outputWidth + 1}
          height={bodyRows}
        >
          {view}
        </Box>
      </Box>
    </Box>
  );
}
