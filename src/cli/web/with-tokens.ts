import { realpathSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { requireProjectRoot, STATE_DIR } from '../../workflow/project/project-root.ts';
import { requireHuman } from '../../workflow/project/require-human.ts';
import { ALL_PROJECTS } from '../../workflow/project/user-memory.ts';
import type { PlaceOfWork } from '../../workflow/project/who-calls.ts';
import { openProjects } from '../../workflow/projects/open-projects.ts';
import type { Cli } from '../cli.ts';
import { projectsEverywhere } from '../project/with-projects.ts';

/** A set of tokens. */
export type TokenPlace = {
  /** By which they are kept. */
  readonly key: string;
  /** The projects that they open. */
  readonly roots: readonly string[];
  /** @throws {CliffordError} `NOT_A_HUMAN`: an agent of any of these calls. */
  readonly requireHuman: (action: string) => void;
};

/** Runs `work` on the tokens of the project the command was typed in, or on those of the server of all projects. */
export async function withTokens(
  cli: Cli,
  everywhere: boolean,
  work: (place: TokenPlace) => Promise<void>,
): Promise<void> {
  const placeOf = (key: string, roots: readonly string[], places: readonly PlaceOfWork[]): TokenPlace => ({
    key,
    roots,
    requireHuman: (action) => [undefined, ...places].forEach((place) => requireHuman(cli, action, place)),
  });
  const known = everywhere
    ? await projectsEverywhere(cli)
    : [{ name: '', root: requireProjectRoot(cli), isHere: true }];
  const { opened, closed, close } = await openProjects(known, {
    env: cli.env,
    source: '/clifford/cli',
    mayBeMirror: true,
  });
  try {
    // Of one that cannot be opened its locks still say who is at work.
    const others = closed.map(({ root }) => ({ dir: join(root, STATE_DIR) }));
    const places = [...opened.map(({ project }) => project), ...others.filter(({ dir }) => existsSync(dir))];
    const roots = known.map(({ root }) => root).filter((root) => existsSync(root));
    const [only = ''] = roots;
    await work(placeOf(everywhere ? ALL_PROJECTS : realpathSync(only), roots, places));
  } finally {
    await close();
  }
}
