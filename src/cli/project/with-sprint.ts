import type { Source } from '../../events/envelope.ts';
import { requireTasks } from '../../workflow/sprint/require-tasks.ts';
import { chooseSprint } from '../../workflow/sprint/choose-sprint.ts';
import type { Project } from '../../workflow/project/project.ts';
import { agreeToCommands } from '../../workflow/config/agree-to-commands.ts';
import { askAboutCommands } from './ask-about-commands.ts';
import type { Cli } from '../cli.ts';
import type { RunOrder } from '../run/run-order.ts';
import { onProject } from './on-project.ts';
import { withSignals } from './with-signals.ts';

/**
 * Runs `work` on the sprint that is to be run, its project open, and serves the project's question
 * files meanwhile. Nothing is served, or said about it, when the log cannot be read.
 */
export async function withSprint<T>(
  cli: Cli,
  order: Pick<RunOrder, 'root' | 'sprint' | 'configured'> & Partial<Pick<RunOrder, 'options'>>,
  { source, isOnScreen }: { source: Source; isOnScreen: boolean },
  work: (project: Project, stream: string) => Promise<T>,
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
    return await withSignals(cli, { project, isOnScreen }, () => work(project, id));
  };
  return onProject(cli, order, run, source);
}
