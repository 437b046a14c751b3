import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SprintState } from '../../machines/project-state.ts';
import { enterSprint } from './enter-sprint.ts';
import { loadManifest, type Manifest } from './manifest.ts';
import type { Project } from '../project/project.ts';
import { ambiguous, MANIFEST_FILE, manifestPath } from './sprint-folders.ts';
import { insideRoot } from '../../lib/files/inside-root.ts';
import { readInPlace } from '../../lib/files/opened-folder.ts';

/** A sprint that an agent named by its folder, as a place for the events of the call. */
export type OpenSprint = {
  readonly stream: string;
  /** Absolute, below the project's root. */
  readonly dir: string;
  readonly manifest: Manifest;
  readonly sprint: SprintState;
};

/**
 * Finds the sprint in a folder, and enters it into the log if it is new there.
 *
 * @param sprintDir - Absolute, or relative to the project's root.
 * @throws {CliffordError} `OUTSIDE_PROJECT`; `MANIFEST_MISSING`, `MANIFEST_INVALID`;
 *   `SPRINT_AMBIGUOUS` when another folder holds a sprint with the same id.
 */
export async function openSprint(project: Project, sprintDir: string): Promise<OpenSprint> {
  const dir = await insideRoot(project.root, sprintDir);
  const path = join(dir, MANIFEST_FILE);
  // The file itself may be a link: an error about its content would show some of it.
  const real = await insideRoot(project.root, path);
  const manifest = await loadManifest(path, (order) => readInPlace(real, { ...order, root: project.root }));
  const state = await project.refresh();
  refuseOtherFolder(project.root, dir, state.streams.get(manifest.id));
  return { stream: manifest.id, dir, manifest, sprint: await enterSprint(project, { dir, manifest }) };
}

/** A folder that was moved is fine; two that exist are not. */
function refuseOtherFolder(root: string, dir: string, known: SprintState | undefined): void {
  if (known?.manifest === undefined || known.manifest === manifestPath(root, dir)) return;
  const other = join(root, known.manifest);
  if (!existsSync(other)) return;
  throw ambiguous(known.id, [dirname(other), dir]);
}
