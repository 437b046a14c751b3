import type { RequestView } from '../../views/requests/describe-request.ts';
import { SprintRunner, type AgreedRun } from '../../runner/sprint/sprint-runner.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { Cli } from '../cli.ts';
import { callingHuman } from './notify-human.ts';
import { onInterrupt } from './on-interrupt.ts';
import { envOfRun, finishedRun, type FinishedRun, type RunOrder } from './run-order.ts';
import { printRun } from './print-run.ts';
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
  return withSprint(cli, order, how, (project, { stream, agreed }) =>
    callingHuman(cli, { project, stream, reading: order.configured?.reading }, ({ hush }) =>
      runAndPrint(cli, order, { project, stream, agreed, onQuestion, hush }),
    ),
  );
}

async function runAndPrint(
  cli: Cli,
  { options, configured }: RunOrder,
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
    env: envOfRun(cli.env, configured),
    configMemory: cli.configMemory,
  });
  let failure: { error: unknown } | undefined;
  // Whoever answers here has what a card offers on it.
  const answer =
    onQuestion &&
    ((request: RequestView) =>
      onQuestion(request).catch(async (error: unknown) => {
        failure ??= { error };
        await runner.stop('the question could not be answered');
      }));
  const printing = printRun(cli, { project, stream, runner, onQuestion: answer });
  const release = onInterrupt((signal) => {
    hush();
    void runner.stop(signal);
  });
  try {
    const end = await runner.run();
    await printing.asked();
    if (failure) throw failure.error;
    const finished = await finishedRun(project, stream, end);
    // Why each task failed stands on a line of its own above.
    const { lastFailure = end.reason } = project.state.streams.get(stream) ?? {};
    return end.outcome === 'failed' ? { ...finished, end: { ...end, reason: lastFailure } } : finished;
  } finally {
    release();
    printing.stop();
  }
}
