import { Box } from 'ink';
import { visibleLine } from '../../lib/text/visible.ts';
import type { TaskView } from '../../views/sprints/describe-sprint.ts';
import { isTimed } from '../../views/sprints/task-items.ts';
import { taskFacts } from '../../views/sprints/task-facts.ts';
import { useGoneAgents, useHasRunner, useTimed } from '../terminal/clock.ts';
import { cutRows } from '../text/cut-rows.ts';
import { factRows } from '../text/fact-rows.ts';
import type { Span } from '../text/spans.ts';
import { Rule } from './rule.tsx';
import { SpanRow } from './span-row.tsx';

type FactsProps = {
  readonly task: TaskView;
  readonly title: string | undefined;
  readonly tasks: readonly TaskView[];
  /** The sprint waits in the queue for a worker. */
  readonly isQueued: boolean;
  readonly width: number;
  readonly rows: number;
};

/** What there is to say of the task that is picked, below the list of all. */
export function Facts({ task, title, tasks, isQueued, width, rows }: FactsProps) {
  const hasRunner = useHasRunner();
  const isAgentGone = useGoneAgents().has(task.id);
  const facts = useTimed(isTimed(task), (now) =>
    taskFacts(task, { now, tasks, hasRunner, isQueued, isAgentGone }),
  );
  const lines = factRows(facts, width - 2, rows);
  return (
    <Box flexDirection="column" flexShrink={0} width={width}>
      <Rule width={width} title={visibleLine(title === undefined || title === '' ? task.id : title)} />
      <Box flexDirection="column" paddingX={1} height={rows} overflow="hidden">
        {cutRows(lines, rows, (text): Span[] => [{ text, style: 'dim' }]).map((spans, at) => (
          <SpanRow key={at} spans={spans} />
        ))}
      </Box>
    </Box>
  );
}
