import type { AgentOutput } from '../text/agent-output.ts';
import type { ScreenState } from '../screen/screen-state.ts';
import { useBesideContent } from '../feed/use-beside.ts';
import { useDetail } from '../feed/use-detail.ts';
import { Detail } from './detail.tsx';
import type { Pane } from './pane.ts';

type BesideProps = {
  readonly state: ScreenState;
  readonly output: AgentOutput;
  readonly pane: Pane;
  /** Id of the task that the other pane is about. */
  readonly task: string | undefined;
  readonly width: number;
  readonly height: number;
};

/** A second pane of the same task, that no key moves in. */
export function Beside({ state, output, pane, task, width, height }: BesideProps) {
  const browsing = { ...state.browsing, pane: pane.id, task, area: 'tasks' } as const;
  const other: ScreenState = { ...state, browsing };
  const content = useBesideContent(other);
  const { view } = useDetail({ ...other, browsing: { ...browsing, content } }, output, width, height);
  return <Detail view={view} width={width} height={height} beside={pane.id} />;
}
