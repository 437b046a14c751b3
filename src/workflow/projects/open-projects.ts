import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CliffordError } from '../../errors.ts';
import type { Source } from '../../events/envelope.ts';
import { messageOf } from '../../lib/message-of.ts';
import { openProject, type Project } from '../project/project.ts';
import { STATE_DIR } from '../project/project-root.ts';
import type { Env } from '../project/who-calls.ts';
import type { KnownProject } from './known-projects.ts';

/** One of several projects that are looked at together. */
export type OpenedProject = KnownProject & { readonly project: Project };

/** One that cannot be opened, and why, in one line. */
export type ClosedProject = KnownProject & { readonly reason: string };

/** What came of opening several. */
export type OpenedProjects = {
  readonly opened: readonly OpenedProject[];
  readonly closed: readonly ClosedProject[];
  /** Closes those that are open. */
  readonly close: () => Promise<void>;
};

/** The environment of another project than the one that it is of: what it says of the log is not about that. */
export function environmentOf(env: Env, root: string): Env {
  const others = Object.entries(env).filter(([name]) => !/^CLIFFORD_LOG(?:_|$)/.test(name));
  return { ...Object.fromEntries(others), CLIFFORD_PROJECT_ROOT: root };
}

/** The same of one of several: that somebody trusts what a project says is said of a single one, too. */
function environmentAmong(env: Env, { root, isHere = false }: KnownProject): Env {
  return isHere ? env : { ...environmentOf(env, root), CLIFFORD_TRUST_PROJECT: undefined };
}

/** How they are opened. */
type Opening = {
  readonly env: Env;
  readonly source: Source;
  /** Where the server of a log cannot be reached, its mirror does. */
  readonly mayBeMirror?: boolean;
};

/**
 * Opens projects at the same time. One that cannot be opened keeps none of the others from it. Nothing is made in their folders.
 */
export async function openProjects(
  known: readonly KnownProject[],
  opening: Opening,
): Promise<OpenedProjects> {
  const all = await Promise.all(known.map((each) => openOne(each, opening)));
  const opened = all.flatMap((each) => ('project' in each ? [each] : []));
  return {
    opened,
    closed: all.flatMap((each) => ('reason' in each ? [each] : [])),
    close: async () => {
      const ends = await Promise.allSettled(opened.map(({ project }) => project.close()));
      const failed = ends.find((end) => end.status === 'rejected');
      if (failed) throw failed.reason;
    },
  };
}

async function openOne(
  known: KnownProject,
  { env, ...how }: Opening,
): Promise<OpenedProject | ClosedProject> {
  const { root } = known;
  if (!existsSync(join(root, STATE_DIR)))
    return { ...known, reason: `${existsSync(root) ? `no ${STATE_DIR}/ in` : 'there is no'} ${root}` };
  try {
    const project = await openProject({ ...how, root, env: environmentAmong(env, known) });
    return { ...known, project };
  } catch (error) {
    return { ...known, reason: error instanceof CliffordError ? error.inOneLine : messageOf(error) };
  }
}
