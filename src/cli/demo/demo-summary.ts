import type { SprintState } from '../../machines/project-state.ts';
import { describeRequest, type RequestView } from '../../views/describe-request.ts';
import { describeSprint } from '../../views/describe-sprint.ts';
import type { Cli } from '../cli.ts';
import { colourOfState } from '../text/colours.ts';
import { duration } from '../../lib/time/duration.ts';
import { lineWidth, paragraph } from '../text/paragraph.ts';
import { stateMark } from '../text/status-lines.ts';
import { visibleLine } from '../../lib/text/visible.ts';

/** What the demo has to say of its record. */
export type DemoRecord = {
  /** The log. */
  readonly file: string;
  readonly events: number;
  /** From the first event to the last, in ms. */
  readonly tookMs: number;
};

const LABEL_WIDTH = 10;

/** The demo in a few lines, which stay on the terminal: tasks, time, what the human said, and the record. */
export function demoSummary(
  cli: Pick<Cli, 'stdout' | 'style'>,
  sprint: SprintState,
  { file, events, tookMs }: DemoRecord,
): string[] {
  const { tasks } = describeSprint(sprint);
  const waitedMs = tasks.reduce((sum, task) => sum + task.waitedMs, 0);
  const ofIt = waitedMs < 1 ? '' : `, ${duration(waitedMs)} of it waiting for a human`;
  const row = (label: string, text: string) =>
    paragraph(`  ${label.padEnd(LABEL_WIDTH)} `, text, lineWidth(cli));
  const marks = tasks.map((task) => {
    const { mark, state } = stateMark(task);
    return cli.style(colourOfState(state), `${mark} ${visibleLine(task.id)}`);
  });
  return [
    `  ${'tasks'.padEnd(LABEL_WIDTH)} ${marks.join('   ')}`,
    ...row('time', duration(tookMs) + ofIt),
    ...[...sprint.requests.values()]
      .map(describeRequest)
      .flatMap((request) => [
        ...row(request.approval ? 'approval' : 'question', questionOf(request)),
        ...row('', endOf(request)),
      ]),
    ...row('record', file),
    ...row('', `${events} events, verified: schema, chain and legality of each hold`),
  ];
}

function questionOf({ approval, question }: RequestView): string {
  return visibleLine(approval ? `may the agent call ${approval.tool} of ${approval.server}?` : question);
}

function endOf({ answer, approval, phase }: RequestView): string {
  if (!answer) return phase === 'open' ? 'not answered yet' : 'dismissed';
  const { by, via, response, verdict } = answer;
  const who = visibleLine(`by ${by} (${via})`);
  if (approval && verdict === 'approved') return `approved ${who}`;
  if (approval && verdict === 'edited') return `approved as changed ${who}: ${visibleLine(response)}`;
  if (approval) return `denied ${who}: ${visibleLine(response)}`;
  return `answered ${who}: ${visibleLine(response)}`;
}
