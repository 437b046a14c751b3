import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { CliffordError } from '../../errors.ts';
import { insideRoot, isInside } from '../../lib/files/inside-root.ts';
import { realPath } from '../../lib/files/real-path.ts';
import { STATE_DIR } from './project-root.ts';

/** What is to be written: a file, a folder for files, or, below `.clifford/sprints/` as well, a file of a sprint. */
type Purpose = 'file' | 'folder' | 'sprint file' | 'manifest';

/** What configures Clifford. Whoever may write it says which programs run. */
const configFiles = ['clifford.json', 'mcp.json'];
/** What describes a sprint: it names programs, too. */
const MANIFEST = 'manifest.json';

/** Folders in which only their own program writes: what is written there may run, or be believed. */
const closedFolders = [STATE_DIR, '.git'];

/**
 * Where Clifford may write what a configuration, a manifest or an agent has named: inside of the project, never into
 * `.clifford` or `.git`, and never one of the files that configure Clifford. Returns the real path: links are followed,
 * but for a file that a new one takes the place of.
 *
 * @param path - Absolute, or relative to `root`.
 * @throws {CliffordError} `OUTSIDE_PROJECT`, `PATH_UNUSABLE`; `PLACE_RESERVED`.
 */
export async function whereToWrite(root: string, path: string, purpose: Purpose = 'file'): Promise<string> {
  const real = await realPlace(root, path, purpose);
  const parts = partsOf(root, real);
  const [first, second, ...deeper] = parts;
  const isSprint = first === STATE_DIR && second === 'sprints' && deeper.length > 0;
  const below = isSprint && (purpose === 'sprint file' || purpose === 'manifest') ? deeper : parts;
  const folder = closedFolders.find((name) => below.includes(name));
  if (folder !== undefined) throw reserved(path, `it is in ${folder}`);
  const name = plainName(basename(real));
  if (configFiles.includes(name) || (name === MANIFEST && purpose !== 'manifest'))
    throw reserved(path, `${name} configures Clifford`);
  return real;
}

/** The names on the way to a place from the project's root. What is in a closed folder by a link is in that folder. */
function partsOf(root: string, real: string): string[] {
  const place = join(realPath(root) ?? root, relative(root, real));
  for (const name of closedFolders) {
    const folder = realPath(join(root, name));
    if (folder !== undefined && isInside(folder, place))
      return [name, ...relative(folder, place).split(sep).map(plainName)];
  }
  return relative(root, real).split(sep).map(plainName);
}

async function realPlace(root: string, path: string, purpose: Purpose): Promise<string> {
  if (purpose === 'folder' || purpose === 'manifest') return insideRoot(root, path);
  const named = resolve(root, path);
  return join(await insideRoot(root, dirname(named)), basename(named));
}

/** Whether a folder has one of the files that configure Clifford. */
export function hasConfigFiles(folder: string): boolean {
  return [...configFiles, MANIFEST].some((name) => existsSync(join(folder, name)));
}

/** A name as the file systems that are least exact read it. */
function plainName(name: string): string {
  return name
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/[. ]+$/, '')
    .toLowerCase();
}

function reserved(path: string, reason: string): CliffordError {
  return new CliffordError(`Cannot write to ${JSON.stringify(path.slice(0, 200))}: ${reason}`, {
    code: 'PLACE_RESERVED',
    fix: 'Name another place in the project',
  });
}
