import { secretsOf } from '../../events/secrets/redaction.ts';
import type { SprintRunner } from '../../runner/sprint/sprint-runner.ts';
import type { RequestView } from '../../views/requests/describe-request.ts';
import { pausedText } from '../../views/sprints/paused-text.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { Cli } from '../cli.ts';
import { agentLines } from '../text/agent-lines.ts';
import { printLive, printOffer, printOpenQuestions } from './print-live.ts';
import { tellWaits } from './tell-waits.ts';

/** What is printed of a run. */
type PrintedRun = {
  readonly project: Project;
  readonly stream: string;
  readonly runner: SprintRunner;
  /** Called after a question was printed; without it the question says what the card of a call offers besides. */
  readonly onQuestion?: ((request: RequestView) => Promise<void>) | undefined;
};

/** Prints a line for each event of a run and each line of an agent, from now on until the returned function is called. */
export function printRun(
  cli: Cli,
  { project, stream, runner, onQuestion = (request) => printOffer(cli, project, request) }: PrintedRun,
): { readonly asked: () => Promise<unknown>; readonly stop: () => void } {
  const output = agentLines(secretsOf(cli.env), (task, lines) => {
    const label = cli.style('dim', `${task} |`);
    cli.print(lines.map((line) => `${label} ${line}`).join('\n'));
  });
  runner.on('output', output.take);
  tellWaits(runner, (task, text) => cli.note(`${task}: ${text}`));
  runner.on('paused', () => cli.note(`the sprint is ${pausedText(stream)}`));
  runner.on('problem', cli.note);
  printOpenQuestions(cli, project, stream);
  const asked: Promise<void>[] = [];
  const stopPrinting = printLive(cli, project, stream, (request) => asked.push(onQuestion(request)));
  return {
    asked: () => Promise.all(asked),
    stop: () => {
      output.end();
      stopPrinting();
    },
  };
}
