import type { Source } from '../../events/envelope.ts';
import { requireTasks } from '../../workflow/sprint/require-tasks.ts';
import { chooseSprint } from '../../workflow/sprint/choose-sprint.ts';
import type { Project } from '../../workflow/project/project.ts';
import { agreeToCommands, notAgreed } from '../../workflow/config/agree-to-commands.ts';
import type { Cli } from '../cli.ts';
import type { RunOrder } from '../run/run-order.ts';
import type { AgreedRun } from '../../runner/sprint/sprint-runner.ts';
import { onProject } from './on-project.ts';
import { withSignals } from './with-signals.ts';
import { CliffordError } from '../../errors.ts';
import { canAsk, yesOrNo } from '../input/yes-or-no.ts';

/**
 * Runs `work` on the sprint that is to be run, its project open, and serves the project's question
 * files meanwhile. Nothing is served, or said about it, when the log cannot be read. `work` is handed what was agreed to:
 * the files may say something else by the time of a yes.
 */
export async function withSprint<T>(
  cli: Cli,
  order: Pick<RunOrder, 'root' | 'sprint' | 'configured'> & Partial<Pick<RunOrder, 'options'>>,
  { source, isOnScreen }: { source: Source; isOnScreen: boolean },
  work: (project: Project, stream: string, agreed: AgreedRun) => Promise<T>,
): Promise<T> {
  const { sprint, configured, options = {} } = order;
  const run = async (project: Project) => {
    const { id, folder } = await chooseSprint(project, sprint);
    if (configured && folder) {
      requireTasks(project.state, folder);
      await agreeToCommands(
        project,
        { ...configured, folder, chosen: options },
        {
          env: cli.env,
          ask: (lines) => askAboutCommands(cli, id, lines),
          warn: cli.note,
        },
      );
    }
    const agreed =
      configured && folder ? { folder, reading: configured.reading, accepts: configured.accepts } : {};
    return await withSignals(cli, { project, isOnScreen }, () => work(project, id, agreed));
  };
  return onProject(cli, order, run, source);
}

/** Shows commands that are new, and asks. @throws {CliffordError} `COMMANDS_NEW` unless somebody says yes. */
async function askAboutCommands(cli: Cli, sprint: string, lines: readonly string[]): Promise<void> {
  if (!canAsk(cli)) throw notAgreed(sprint, lines, '--accept-commands');
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
