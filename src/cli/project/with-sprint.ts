import type { Source } from '../../events/envelope.ts';
import { requireTasks } from '../../workflow/sprint/require-tasks.ts';
import { chooseSprint } from '../../workflow/sprint/choose-sprint.ts';
import type { Project } from '../../workflow/project/project.ts';
import { agreeToCommands, notAgreed } from '../../workflow/config/agree-to-commands.ts';
import type { Cli } from '../cli.ts';
import type { RunOrder } from '../run/run-order.ts';
import type { AgreedRun } from '../../runner/sprint/sprint-runner.ts';
import { describeSprint } from '../../views/sprints/describe-sprint.ts';
import { plannedAgents } from '../../runner/plan/planned-agents.ts';
import { tasksLeft } from '../../runner/plan/tasks-left.ts';
import type { ConfigReading } from '../../workflow/config/load-config.ts';
import type { ChosenAgent } from '../../workflow/config/named-commands.ts';
import type { SprintFolder } from '../../workflow/sprint/sprint-folders.ts';
import { disproved, mistrustedText, unaskedIn } from '../doctor/mistrusted.ts';
import { withCalls } from '../run/with-calls.ts';
import { withMetrics } from '../metrics/with-metrics.ts';
import { withPage, type PageBeside } from '../web/with-page.ts';
import { onProject } from './on-project.ts';
import { withMirror } from './with-mirror.ts';
import { withSignals } from './with-signals.ts';
import { CliffordError } from '../../errors.ts';
import { canAsk, yesOrNo } from '../input/yes-or-no.ts';

/** The sprint that is to be run. */
export type SprintToRun = {
  /** Its id. */
  readonly stream: string;
  /** What was agreed to: the files may say something else by the time of a yes. */
  readonly agreed: AgreedRun;
  /** The page, where it is served meanwhile. */
  readonly page: PageBeside | undefined;
};

/**
 * Runs `work` on the sprint that is to be run, its project open, and serves the project's question files, and its page and metrics
 * where those are wanted, meanwhile. Nothing is served, or said about it, when the log cannot be read.
 */
export async function withSprint<T>(
  cli: Cli,
  order: Pick<RunOrder, 'root' | 'sprint' | 'configured'> &
    Partial<Pick<RunOrder, 'options' | 'page' | 'metrics'>>,
  { source, isOnScreen }: { source: Source; isOnScreen: boolean },
  work: (project: Project, run: SprintToRun) => Promise<T>,
): Promise<T> {
  const { sprint, configured, options = {} } = order;
  const run = async (project: Project) => {
    const { id, folder } = await chooseSprint(project, sprint);
    let agreed: AgreedRun = {};
    if (configured && folder) {
      requireTasks(project.state, folder);
      const remember = await agreeToCommands(
        project,
        { ...configured, folder, chosen: options },
        {
          env: cli.env,
          ask: (lines) => askAboutCommands(cli, id, lines),
          show: cli.note,
          warn: cli.note,
        },
      );
      await warnOfMistrusted(cli, project, { folder, options, reading: configured.reading });
      agreed = { folder, reading: configured.reading, accepts: configured.accepts, remember };
    }
    const beside = (page: PageBeside | undefined) => {
      const working = () => work(project, { stream: id, agreed, page });
      if (!configured) return working();
      const { reading } = configured;
      const served = page ? { isPageServed: true, linkTo: page.linkTo } : {};
      return withCalls(cli, { project, isOnScreen, reading, ...served }, working);
    };
    return await withMirror(cli, project, { isOnScreen }, () =>
      withSignals(cli, { project, isOnScreen }, () =>
        withMetrics(cli, project, order.metrics, () => withPage(cli, project, order.page, beside)),
      ),
    );
  };
  return onProject(cli, order, run, source);
}

/** Says which of the agents that a run may start were seen to act without a yes, by the doctor or in a sprint. */
async function warnOfMistrusted(
  cli: Cli,
  { root, state }: Project,
  {
    folder,
    options: { agent, agentCmd },
    reading,
  }: { folder: SprintFolder; options: ChosenAgent; reading: ConfigReading },
): Promise<void> {
  const said = (value: string | undefined) =>
    value === undefined ? undefined : { value, origin: 'the command line' };
  const flags = { agent: said(agent), agentCmd: said(agentCmd) };
  const place = { root, env: cli.env };
  const sprint = state.streams.get(folder.manifest.id);
  const tasks = tasksLeft(folder, sprint).map(({ id }) => ({ flags, folder, taskId: id }));
  const names = plannedAgents(place, reading, tasks);
  const inSprints = unaskedIn(state.streams.loaded().map((each) => describeSprint(each)));
  const seen = [
    ...(await disproved(place, reading, names)),
    ...inSprints.filter((each) => names.includes(each.agent)),
  ];
  for (const each of seen) cli.note(mistrustedText(each));
}

/** Shows commands that are new, and asks. @throws {CliffordError} `COMMANDS_NEW` unless somebody says yes. */
async function askAboutCommands(cli: Cli, sprint: string, lines: readonly string[]): Promise<void> {
  if (!canAsk(cli))
    throw notAgreed(sprint, lines, 'Look at it, then run the same at a terminal or with --accept-commands');
  cli.print('New since the last run of this project, and run with your rights:');
  for (const line of lines) cli.print(`  ${line}`);
  if ((await yesOrNo(cli, 'Run this?')) !== 'yes') throw turnedDown(sprint);
}

function turnedDown(sprint: string): CliffordError {
  return new CliffordError(`Cannot run sprint ${sprint}: its new commands were not accepted`, {
    code: 'COMMANDS_NEW',
    fix: 'Change it in clifford.json or in the manifest, then run it again',
  });
}
