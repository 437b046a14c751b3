import type { Source } from '../../events/envelope.ts';
import { requireProjectRoot } from '../../workflow/project/project-root.ts';
import { openProject, type Project } from '../../workflow/project/project.ts';
import type { Cli } from '../cli.ts';
import { mirrorText } from '../text/mirror-text.ts';
import { giveBackFiles } from '../run/give-back-files.ts';

/**
 * Runs `work` on the project the command was typed in, and closes it afterwards. Before that, what a runner
 * that was killed had changed is given back.
 *
 * @param onlyLooks - Where the server of the log is away, its mirror does.
 * @param awayUntil - As `chosenProjectLog` has it.
 */
export async function withProject<T>(
  cli: Pick<Cli, 'env' | 'cwd' | 'note'>,
  work: (project: Project) => Promise<T>,
  source: Source = '/clifford/cli',
  { onlyLooks, awayUntil }: { readonly onlyLooks?: true; readonly awayUntil?: number | undefined } = {},
): Promise<T> {
  const { env } = cli;
  // Who only looks sees the mirror sooner.
  const onAway = onlyLooks
    ? undefined
    : ({ message }: Error) =>
        cli.note(
          `${message}; this waits until it is back${awayUntil === undefined ? '' : ', or the time is over'}`,
        );
  const root = requireProjectRoot(cli);
  const project = await openProject({ root, source, env, mayBeMirror: onlyLooks, onAway, awayUntil });
  if (project.mirror) cli.note(mirrorText(project.mirror));
  try {
    await giveBackFiles(cli, project.dir);
    return await work(project);
  } finally {
    await project.close();
    // What was decided is durable, and that is what counts for the exit code.
    for (const { inOneLine } of project.unwritten()) cli.note(inOneLine);
  }
}
