import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isLink } from '../../lib/files/is-link.ts';
import type { ProjectState, SprintState } from '../../machines/project-state.ts';
import { nameOf } from '../../machines/status-words.ts';
import type { SprintIndex } from './sprint-folders.ts';

/**
 * What is wrong where the manifest that the log names for a sprint is not there: nothing of the sprint can be run.
 * `undefined`: it is there, or there never was one.
 */
export function missingManifest(
  root: string,
  { manifest }: Pick<SprintState, 'manifest'>,
): string | undefined {
  const path = manifest === undefined ? undefined : join(root, manifest);
  if (path === undefined || existsSync(path)) return undefined;
  return isLink(path) ? `${manifest} is a link to what is not there` : `${manifest} is missing`;
}

/** The sprints that are not over and have no manifest any more, with what is wrong. */
export function sprintsWithoutManifest(
  root: string,
  { streams }: Pick<ProjectState, 'streams'>,
  { sprints }: SprintIndex,
): readonly { readonly id: string; readonly text: string }[] {
  const found = new Set(sprints.map(({ manifest }) => manifest.id));
  return streams.loaded().flatMap((sprint) => {
    const { id, machine } = sprint;
    if (found.has(id) || /^done\.(?!failed)/.test(nameOf(machine.value))) return [];
    const problem = missingManifest(root, sprint);
    return problem === undefined ? [] : [{ id, text: `sprint ${id} cannot be run: ${problem}` }];
  });
}

/** What to do about it. */
export function bringItBack(id: string): string {
  return `Bring the file back. Only if the sprint is to end for good: clifford cancel --sprint ${id}`;
}
