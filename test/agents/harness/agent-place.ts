import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Folders of their own for somebody who runs agents. */
export type AgentPlace = {
  /** The home: what a user keeps there is not to change. */
  readonly home: string;
  /** The project, in the home, with `.clifford/`. */
  readonly project: string;
  /** For temporary files, the agents' and those of a run by hand. */
  readonly scratch: string;
};

/** Makes the folders below this one; `folder`: the name of the project's. */
export async function makePlace(base: string, folder = 'project'): Promise<AgentPlace> {
  const home = join(base, 'ada');
  const place = { home, project: join(home, folder), scratch: join(base, 'scratch') };
  await mkdir(join(place.project, '.clifford'), { recursive: true });
  await mkdir(place.scratch);
  return place;
}

/** What Clifford itself writes below the home, for a snapshot to leave out: what it remembers, and the statuses. */
export const cliffordsPaths: readonly RegExp[] = [
  /^project\/\.clifford\//,
  // Who is killed leaves it.
  /^project\/\.agent-questions\/\.gitignore$/,
  /^\.local\/state\/clifford\//,
  /^project\/sprints\/[^/]+\/(manifest\.json|uat\.md)$/,
];
