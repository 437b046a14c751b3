import { secretsOf } from '../../events/secrets/redaction.ts';
import type { RequestView } from '../../views/describe-sprint.ts';
import { SprintRunner, type AgreedRun } from '../../runner/sprint/sprint-runner.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { Cli } from '../cli.ts';
import { callingHuman } from './notify-human.ts';
import { onInterrupt } from './on-interrupt.ts';
import { printLive, printOffer, printOpenQuestions } from './print-live.ts';
import { finishedRun, type FinishedRun, type RunOrder } from './run-order.ts';
import { agentLines } from '../text/agent-lines.ts';
import { pausedText } from '../../views/paused-text.ts';
import { tellWaits } from './tell-waits.ts';
import { withSprint } from '../project/with-sprint.ts';

type OnQuestion = (request: RequestView) => Promise<void>;

/**
 * Runs a sprint and prints a line for each event and each line of an agent. Append-only.
 *
 * @param onQuestion - Called after a question was printed. A failure of it stops the run and is thrown.
 */
export function runPlain(
  cli: Cli,
  order: RunOrder,
  { onQuestion }: { onQuestion?: OnQuestion } = {},
): Promise<FinishedRun> {
  const how = { source: '/clifford/runner', isOnScreen: false } as const;
  return withSprint(cli, order, how, (project, stream, agreed) =>
    callingHuman(cli, { project, stream, agreed: order.configured, report: cli.note }, ({ hush }) =>
      runAndPrint(cli, order, { project, stream, agreed, onQuestion, hush }),
    ),
  );
}

async function runAndPrint(
  cli: Cli,
  { options }: RunOrder,
  {
    project,
    stream,
    agreed,
    onQuestion,
    hush,
  }: {
    project: Project;
    stream: string;
    agreed: AgreedRun;
    onQuestion: OnQuestion | undefined;
    hush: () => void;
  },
): Promise<FinishedRun> {
  const runner = new SprintRunner({
    project,
    sprint: stream,
    ...options,
    agreed,
    env: cli.env,
    configMemory: cli.configMemory,
  });
  const output = agentLines(secretsOf(cli.env), (task, lines) => {
    const label = cli.style('dim', `${task} |`);
    cli.print(lines.map((line) => `${label} ${line}`).join('\n'));
  });
  runner.on('output', output.take);
  tellWaits(runner, (task, text) => cli.note(`${task}: ${text}`));
  runner.on('paused', () => cli.note(`the sprint is ${pausedText(stream)}`));
  runner.on('problem', cli.note);
  printOpenQuestions(cli, project, stream);
  const answering: Promise<void>[] = [];
  let failure: { error: unknown } | undefined;
  const stopPrinting = printLive(cli, project, stream, (request) => {
    const answer = onQuestion?.(request).catch((error: unknown) => {
      failure ??= { error };
      return runner.stop('the question could not be answered');
    });
    // Whoever answers here has it on the card.
    answering.push(answer ?? printOffer(cli, project, request));
  });
  const release = onInterrupt((signal) => {
    hush();
    void runner.stop(signal);
  });
  try {
    const end = await runner.run();
    await Promise.all(answering);
    if (failure) throw failure.error;
    const finished = await finishedRun(project, stream, end);
    // Why each task failed stands on a line of its own above.
    const { lastFailure = end.reason } = project.state.streams.get(stream) ?? {};
    return end.outcome === 'failed' ? { ...finished, end: { ...end, reason: lastFailure } } : finished;
  } finally {
    output.end();
    release();
    stopPrinting();
  }
}
