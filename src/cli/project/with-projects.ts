import { CliffordError } from '../../errors.ts';
import { realPath } from '../../lib/files/real-path.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findProjectRoot, STATE_DIR } from '../../workflow/project/project-root.ts';
import type { Project } from '../../workflow/project/project.ts';
import { listProjects, type KnownProject } from '../../workflow/projects/known-projects.ts';
import { openProjects, type ClosedProject } from '../../workflow/projects/open-projects.ts';
import type { Cli } from '../cli.ts';
import { LOG_VARIABLE } from '../../workflow/log/log-variable.ts';
import { exitCodes } from '../exit-codes.ts';
import { mirrorText } from '../text/mirror-text.ts';
import { inProject } from './in-project.ts';

/** One of several projects, and a command in it. */
export type ProjectOfSeveral = KnownProject & { readonly project: Project; readonly cli: Cli };

/**
 * Every project that this command is about with `--everywhere`: those of the user's list, and the one it was typed in.
 *
 * @throws {CliffordError} `PROJECT_UNKNOWN`: there is none; `PROJECTS_UNREADABLE`.
 */
export async function projectsEverywhere(
  cli: Pick<Cli, 'env' | 'cwd' | 'calledLog'>,
): Promise<readonly KnownProject[]> {
  if (cli.env[LOG_VARIABLE] !== cli.calledLog)
    throw new CliffordError('Cannot look everywhere at one log: --log names a single one', {
      code: 'LOG_URL_INVALID',
      fix: 'Leave out --log, or --everywhere',
    });
  const known = await listProjects(cli.env, projectHere(cli));
  if (known.length > 0) return known;
  throw new CliffordError('Cannot look everywhere: your list of projects is empty', {
    code: 'PROJECT_UNKNOWN',
    fix: 'List them, each with: clifford projects add <folder>',
  });
}

/** The root of the project that a command was typed in, a real path; `undefined`: in none. */
export function projectHere(cli: Pick<Cli, 'env' | 'cwd'>): string | undefined {
  const root = findProjectRoot(cli);
  return existsSync(join(root, STATE_DIR)) ? realPath(root) : undefined;
}

/**
 * Runs `work` on all of these projects that can be opened, and closes them afterwards. Which cannot is said; the command fails then,
 * when it is done.
 *
 * @param onlyLooks - Where the server of a log is away, its mirror does, which is said.
 */
export async function withProjects<T>(
  cli: Cli,
  work: (opened: readonly ProjectOfSeveral[], closed: readonly ClosedProject[]) => Promise<T>,
  { onlyLooks = false }: { readonly onlyLooks?: boolean } = {},
): Promise<T> {
  const known = await projectsEverywhere(cli);
  const projects = await openProjects(known, {
    env: cli.env,
    source: '/clifford/cli',
    mayBeMirror: onlyLooks,
  });
  const { opened, closed } = projects;
  for (const { name, project } of opened)
    if (project.mirror) cli.note(`${name}: ${mirrorText(project.mirror)}`);
  for (const { name, reason } of closed) cli.note(`${name} cannot be opened: ${reason}`);
  if (closed.length > 0) cli.endWith(exitCodes.failed);
  try {
    return await work(
      opened.map((each) => ({ ...each, cli: inProject(cli, each) })),
      closed,
    );
  } finally {
    await projects.close();
  }
}
