import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pathFrom } from '../../lib/files/path-from.ts';
import { knownOnes } from '../../lib/text/did-you-mean.ts';
import { CliffordError } from '../../errors.ts';
import { loadManifest, type Manifest, manifestSchema } from './manifest.ts';
import { STATE_DIR } from '../project/project-root.ts';
import { isMissing, systemCodeOf } from '../../lib/system-error.ts';

/** A sprint's folder and what its manifest says. */
export type SprintFolder = { readonly dir: string; readonly manifest: Manifest };

/** The file that makes a folder a sprint. */
export const MANIFEST_FILE = 'manifest.json';

/** Where the log says that a sprint's manifest is: from the project's root, with `/`. */
export function manifestPath(root: string, dir: string): string {
  return pathFrom(root, join(dir, MANIFEST_FILE));
}

/** Sprint folders of a project, readable or not, in the order of their names. */
export type SprintIndex = {
  readonly sprints: readonly SprintFolder[];
  /** Folders whose manifest cannot be read, and why. */
  readonly broken: readonly { readonly dir: string; readonly error: CliffordError }[];
};

/**
 * Reads every sprint below `sprints/` and `.clifford/sprints/`.
 *
 * @throws {CliffordError} `SPRINT_AMBIGUOUS` when two folders claim one id; `SPRINTS_INACCESSIBLE`.
 */
export async function listSprintFolders(root: string): Promise<SprintIndex> {
  const parents = [join(root, 'sprints'), join(root, STATE_DIR, 'sprints')];
  const dirs = (await Promise.all(parents.map(subfolders))).flat();
  const sprints: SprintFolder[] = [];
  const broken: { dir: string; error: CliffordError }[] = [];
  for (const dir of dirs) {
    try {
      sprints.push({ dir, manifest: await loadManifest(join(dir, MANIFEST_FILE)) });
    } catch (error) {
      if (!(error instanceof CliffordError)) throw error;
      if (error.code !== 'MANIFEST_MISSING') broken.push({ dir, error });
    }
  }
  refuseDuplicates(sprints);
  return { sprints, broken };
}

/**
 * The sprint meant by an id or a folder name.
 *
 * @throws {CliffordError} `SPRINT_UNKNOWN`, or why its manifest cannot be read.
 */
export function findSprintFolder(index: SprintIndex, name: string): SprintFolder {
  const found =
    index.sprints.find(({ manifest }) => manifest.id === name) ??
    index.sprints.find(({ dir }) => basename(dir) === name);
  if (found) return found;
  const broken = index.broken.find(({ dir }) => basename(dir) === name);
  if (broken) throw broken.error;
  const known = index.sprints.map(({ manifest }) => manifest.id);
  throw new CliffordError(
    `Cannot find sprint ${name}: ${known.length === 0 ? 'the project has none' : knownOnes(name, known)}`,
    {
      code: 'SPRINT_UNKNOWN',
      fix:
        index.broken.length === 0
          ? nameOrMake(name, known)
          : `Correct ${index.broken.map(({ dir }) => join(dir, MANIFEST_FILE)).join(', ')}, or name another`,
    },
  );
}

/** What to do about a name that no sprint has: it may be mistyped, or that of one to be made. */
function nameOrMake(name: string, known: readonly string[]): string {
  const make = manifestSchema.shape.id.safeParse(name).success
    ? `make it with: clifford sprint new ${name}`
    : 'make one with: clifford sprint new <id>';
  return known.length > 0 ? `Name one of them, or ${make}` : make.replace('make', 'Make');
}

async function subfolders(parent: string): Promise<string[]> {
  try {
    const entries = await readdir(parent, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .map(({ name }) => join(parent, name))
      .sort();
  } catch (error) {
    // A file may have that name, or that of `.clifford`.
    if (isMissing(error)) return [];
    throw new CliffordError(`Cannot read the folder ${parent}: the system says ${systemCodeOf(error)}`, {
      code: 'SPRINTS_INACCESSIBLE',
      fix: 'Make it readable for this user',
      cause: error,
    });
  }
}

function refuseDuplicates(sprints: readonly SprintFolder[]): void {
  const byId = new Map<string, string>();
  for (const { dir, manifest } of sprints) {
    const other = byId.get(manifest.id);
    if (other !== undefined) throw ambiguous(manifest.id, [other, dir]);
    byId.set(manifest.id, dir);
  }
}

/** The error for two folders that hold a sprint with the same id. */
export function ambiguous(id: string, [one, other]: readonly [string, string]): CliffordError {
  return new CliffordError(`Cannot tell sprints apart: ${one} and ${other} both have id ${id}`, {
    code: 'SPRINT_AMBIGUOUS',
    fix: 'Give each manifest.json an id of its own',
  });
}
