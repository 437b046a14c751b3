import { SprintRunner } from '../../runner/sprint/sprint-runner.ts';
import { createAgentOutput, type AgentOutput } from '../../tui/text/agent-output.ts';
import type { ShowSprintOptions } from '../../tui/screen/show-sprint-options.ts';
import { showSprint } from '../../tui/screen/show-sprint.tsx';
import type { Project } from '../../workflow/project/project.ts';
import type { Cli } from '../cli.ts';
import { callingHuman, watchKeys } from './notify-human.ts';
import { attemptHeading } from '../../views/sprints/attempt-heading.ts';
import { earlierAttempts } from './earlier-attempts.ts';
import { onInterrupt } from './on-interrupt.ts';
import { openEditor } from '../../lib/processes/open-editor.ts';
import { editOnScreen } from '../requests/edit-on-screen.ts';
import { offersIn, partsIn } from '../requests/offers.ts';
import { commandsIn } from './run-own-command.ts';
import { reveal } from '../requests/reveal.ts';
import { agentRun, decider } from '../../workflow/project/require-human.ts';
import { envOfRun, finishedRun, type FinishedRun, type RunOrder } from './run-order.ts';
import { TERM_GRACE_MS } from '../../lib/processes/terminate.ts';
import { printRun } from './print-run.ts';
import { tellWaits } from './tell-waits.ts';
import { typedAnywhere, typedLine } from '../project/typed-line.ts';
import { withSprint, type SprintToRun } from '../project/with-sprint.ts';

/** Runs a sprint behind the full screen, where the person at the keyboard answers. */
export function runOnScreen(cli: Cli, order: RunOrder): Promise<FinishedRun> {
  const how = { source: '/clifford/tui', isOnScreen: true } as const;
  return withSprint(cli, order, how, (project, run) => {
    const { onKey, lastKeyAt } = watchKeys(project.dir);
    const notify = { project, stream: run.stream, reading: order.configured?.reading, lastKeyAt };
    return callingHuman(cli, notify, (calling) =>
      runAndShow(cli, order, { project, ...run, onKey, ...calling }),
    );
  });
}

/** What a run behind the screen is of. */
type ShownRun = SprintToRun & {
  readonly project: Project;
  readonly onKey: () => void;
  readonly onAway: (isAway: boolean) => void;
  /** Nobody is to be called any more. */
  readonly hush: () => void;
};

async function runAndShow(cli: Cli, order: RunOrder, shown: ShownRun): Promise<FinishedRun> {
  const { project, stream, hush } = shown;
  const output = createAgentOutput({ earlier: earlierAttempts(project, stream, { followed: false }) });
  // Said beside the agent's output, and again when the screen is gone: until then it is not ours to print on.
  const problems: string[] = [];
  const begin = () =>
    beginRun(cli, order, shown, (runner) => tellScreen(runner, output, { problems, page: shown.page }));
  const gone = new AbortController();
  let current = begin();
  let printing: ReturnType<typeof printRun> | undefined;
  const interrupt = (signal: string) => {
    hush();
    void current.runner.stop(signal);
    gone.abort();
  };
  const release = onInterrupt(interrupt);
  // It came while the run was made ready.
  if (order.interrupted?.aborted) interrupt(String(order.interrupted.reason));
  try {
    const show = () =>
      showSprint({
        ...screenOf(cli, order, shown),
        output,
        ended: current.over,
        runAgain: () => (current = begin()).over,
        signal: gone.signal,
        onStop: (key) => current.runner.stop(key === 'q' ? 'q was pressed' : key),
        onKill: () => void current.runner.kill(),
      });
    const [screen] = await Promise.allSettled([show()]);
    // The terminal is the person's again before anything is printed; a screen that broke leaves no agent behind.
    if (screen.status === 'fulfilled' && screen.value === 'detached')
      printing = goOnPrinting(cli, { project, stream, runner: current.runner, problems });
    else await current.runner.stop('the screen was closed');
    const end = await current.ended;
    if (screen.status === 'rejected') throw screen.reason;
    await printing?.asked();
    return await finishedRun(project, stream, end);
  } finally {
    release();
    printing?.stop();
    problems.forEach(cli.note);
  }
}

/** A runner at work. `over`: when its run has ended, and whether the screen stays then. */
function beginRun(
  cli: Cli,
  { options, exits = false, configured }: RunOrder,
  { project, stream, agreed }: ShownRun,
  listen: (runner: SprintRunner) => void,
) {
  const runner = new SprintRunner({
    // Runner and screen record as who they are.
    project: project.as('/clifford/runner'),
    sprint: stream,
    ...options,
    agreed,
    env: envOfRun(cli.env, configured),
    configMemory: cli.configMemory,
  });
  listen(runner);
  const ended = runner.run();
  // Whoever stopped it has gone.
  const over = ended.then(({ outcome }) => ({ stays: outcome !== 'stopped' && !exits }));
  over.catch(() => undefined);
  return { runner, ended, over };
}

/** What the screen has from this program, whichever runner is at work. */
function screenOf(
  cli: Cli,
  { look }: RunOrder,
  { project, stream, onKey, onAway, page }: ShownRun,
): Omit<ShowSprintOptions, 'output' | 'onStop'> {
  return {
    project,
    stream,
    owner: true,
    look,
    stdin: cli.stdin,
    stdout: cli.stdout,
    mayApprove: agentRun(cli, project) === undefined,
    reveal,
    typedLine: (...words) => typedAnywhere(cli, project.root, ...words),
    runCommand: commandsIn(cli, project, page),
    edit: editOnScreen(cli, project),
    openEditor: (draft) => openEditor(cli.env, draft),
    offersFor: offersIn(cli, project),
    partsOf: partsIn(cli, project),
    onKey,
    onAway,
    by: decider(cli, project),
    graceMs: TERM_GRACE_MS,
  };
}

/** Says beside the agent's output what a runner has to say. */
function tellScreen(
  runner: SprintRunner,
  output: AgentOutput,
  { problems, page }: { readonly problems: string[] } & Pick<ShownRun, 'page'>,
): void {
  let hasPage = page === undefined;
  runner.on('output', ({ task, text }) => output.append(task, text));
  tellWaits(runner, (task, text) => output.append(task, `[clifford: ${text}]\n`));
  let current: string | undefined;
  runner.on('task-start', ({ task, attempt, agent }) => {
    current = task;
    if (attempt > 1) output.note(task, attemptHeading({ attempt, agent, at: new Date().toISOString() }));
    // What was printed before is behind the screen.
    // On a line of its own, so that a narrow pane breaks it as late as it can.
    if (!hasPage) output.append(task, `[clifford: in the browser:]\n${page?.address}\n`);
    hasPage = true;
  });
  runner.on('problem', (problem) => {
    problems.push(problem);
    if (current !== undefined) output.append(current, `[clifford: ${problem}]\n`);
  });
}

/** The run goes on as one that prints, where its screen was. */
function goOnPrinting(
  cli: Cli,
  { problems, ...run }: Parameters<typeof printRun>[1] & { readonly problems: string[] },
): ReturnType<typeof printRun> {
  const { stream } = run;
  // From now on each is said when it comes.
  problems.splice(0).forEach(cli.note);
  run.runner.on('problem', () => problems.splice(0));
  cli.print(
    `${stream} goes on without the screen: Ctrl-C stops it. To see it again, in another shell: ${typedLine(cli, 'attach', stream)}`,
  );
  return printRun(cli, run);
}
