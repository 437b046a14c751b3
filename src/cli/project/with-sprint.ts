import type { Source } from '../../events/envelope.ts';
import { chooseSprint } from '../../workflow/sprint/choose-sprint.ts';
import { openProject, type Project } from '../../workflow/project/project.ts';
import { agreeToCommands } from '../../workflow/config/agree-to-commands.ts';
import { oneLine } from '../../lib/text/visible.ts';
import { askAboutCommands } from './ask-about-commands.ts';
import type { Cli } from '../cli.ts';
import type { RunOrder } from '../run/run-order.ts';
import { withSignals } from './with-signals.ts';

/**
 * Runs `work` on the sprint that is to be run, its project open, and serves the project's question
 * files meanwhile. Nothing is served, or said about it, when the log cannot be read.
 *
 * @throws {CliffordError} why the log cannot be read; `SPRINT_UNKNOWN`, `COMMANDS_NEW` and their like.
 */
export async function withSprint<T>(
  cli: Cli,
  { root, sprint, configured }: Pick<RunOrder, 'root' | 'sprint' | 'configured'>,
  { source, isOnScreen }: { source: Source; isOnScreen: boolean },
  work: (project: Project, stream: string) => Promise<T>,
): Promise<T> {
  const project = await openProject({ root, source, env: cli.env });
  try {
    const { id, folder } = await chooseSprint(project, sprint);
    if (configured && folder)
      await agreeToCommands(
        project,
        { ...configured, folder },
        {
          env: cli.env,
          ask: (lines) => askAboutCommands(cli, id, lines),
          warn: (problem) => cli.warn(oneLine(`note: ${problem}`)),
        },
      );
    return await withSignals(cli, { project, isOnScreen }, () => work(project, id));
  } finally {
    await project.close();
  }
}
