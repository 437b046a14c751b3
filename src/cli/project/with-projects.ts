import { CliffordError } from '../../errors.ts';
import { realPath } from '../../lib/files/real-path.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findProjectRoot, STATE_DIR } from '../../workflow/project/project-root.ts';
import type { Project } from '../../workflow/project/project.ts';
import { listProjects, type KnownProject } from '../../workflow/projects/known-projects.ts';
import { openProjects, type ClosedProject } from '../../workflow/projects/open-projects.ts';
import type { Cli } from '../cli.ts';
import { exitCodes } from '../exit-codes.ts';
import { inProject } from './in-project.ts';

/** One of several projects, and a command in it. */
export type ProjectOfSeveral = KnownProject & { readonly project: Project; readonly cli: Cli };

/**
 * Every project that this command is about with `--everywhere`: those of the user's list, and the one it was typed in.
 *
 * @throws {CliffordError} `PROJECT_UNKNOWN`: there is none; `PROJECTS_UNREADABLE`.
 */
export async function projectsEverywhere(cli: Pick<Cli, 'env' | 'cwd'>): Promise<readonly KnownProject[]> {
  const here = findProjectRoot(cli);
  const root = existsSync(join(here, STATE_DIR)) ? realPath(here) : undefined;
  const known = await listProjects(cli.env, root === undefined ? [] : [root]);
  if (known.length > 0) return known;
  throw new CliffordError('Cannot look everywhere: your list of projects is empty', {
    code: 'PROJECT_UNKNOWN',
    fix: 'List them, each with: clifford projects add <folder>',
  });
}

/**
 * Runs `work` on all of these projects that can be opened, and closes them afterwards. Which cannot is said; the command fails then,
 * when it is done.
 */
export async function withProjects<T>(
  cli: Cli,
  work: (opened: readonly ProjectOfSeveral[], closed: readonly ClosedProject[]) => Promise<T>,
): Promise<T> {
  const known = await projectsEverywhere(cli);
  const projects = await openProjects(known, { env: cli.env, source: '/clifford/cli', mayBeMirror: true });
  const { opened, closed } = projects;
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
