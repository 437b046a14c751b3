import { STATE_DIR } from '../project-root.ts';
import { splitNul } from './git.ts';
import type { Git } from './git.ts';
import type { Repository } from './repository.ts';

/** A file that is not as in the last commit. */
export type ChangedFile = {
  /** From the project's root, with `/`. */
  readonly path: string;
  /** `repository`: a folder with a repository of its own that this one does not know. */
  readonly kind: 'file' | 'conflict' | 'submodule' | 'repository';
  /** A submodule: in which ways it differs, as git says it. */
  readonly submodule: string;
};

/** Number of fields before the path, by kind of line. */
const FIELDS = { '1': 8, u: 10, '?': 1 } as const;

/**
 * What git sees as changed below the project's root, new files with it; but for ignored files, and for what
 * Clifford itself remembers.
 */
export async function changedFiles(git: Git, { prefix }: Repository): Promise<ChangedFile[]> {
  const status = await git.read([
    'status',
    '--porcelain=v2',
    '-z',
    '--untracked-files=all',
    '--no-renames',
    '--ignore-submodules=none',
    '--',
    '.',
  ]);
  return splitNul(status)
    .map(readLine)
    .filter((file) => file !== undefined)
    .filter(({ path }) => path.startsWith(prefix))
    .map((file) => ({ ...file, path: file.path.slice(prefix.length) }))
    .filter(({ path }) => path !== `${STATE_DIR}/` && !path.startsWith(`${STATE_DIR}/`));
}

function readLine(line: string): ChangedFile | undefined {
  const kind = line[0];
  if (kind !== '1' && kind !== 'u' && kind !== '?') return undefined;
  const fields = line.split(' ');
  const path = fields.slice(FIELDS[kind]).join(' ');
  if (kind === 'u') return { path, kind: 'conflict', submodule: '' };
  if (kind === '?' && path.endsWith('/')) return { path, kind: 'repository', submodule: '' };
  const submodule = kind === '?' ? 'N...' : (fields[2] ?? 'N...');
  return submodule.startsWith('S')
    ? { path, kind: 'submodule', submodule }
    : { path, kind: 'file', submodule: '' };
}
