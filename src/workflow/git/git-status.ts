import { relative } from 'node:path/posix';
import { STATE_DIR } from '../project/project-root.ts';
import { splitNul, type Git } from './git.ts';

/** A file that is not as in the last commit. */
export type ChangedFile = {
  /** From the project's root, with `/`. */
  readonly path: string;
  /** `repository`: a folder with a repository of its own that this one does not know. */
  readonly kind: 'file' | 'conflict' | 'submodule' | 'repository';
  /** A submodule: in which ways it differs, as git says it. */
  readonly submodule: string;
  /** It was there in the last commit or in the index, and is not any more. */
  readonly isGone: boolean;
};

/** Number of fields before the path, by kind of line. */
const FIELDS = { '1': 8, u: 10, '?': 1 } as const;

/** What git says of a project at one instant. */
export type GitStatus = {
  /** The commit that HEAD names; `undefined` while there is none. */
  readonly head: string | undefined;
  /** HEAD names no branch. */
  readonly isDetached: boolean;
  /** What is changed, new files with it; but for ignored files, and for what Clifford remembers. */
  readonly files: readonly ChangedFile[];
};

/** Which files of a repository are looked at: those below the project's root, or all. */
export type StatusScope = { readonly isWhole?: boolean | undefined };

/** A path from the project's root, by that from the top of the repository. `prefix`: the root from there, with `/` at its end. */
export function pathFromRoot(prefix: string, path: string): string {
  return path.startsWith(prefix) ? path.slice(prefix.length) : relative(prefix, path);
}

/** @param prefix - The project's root from the top of the repository: `''`, or a path that ends with `/`. */
export async function readStatus(
  git: Git,
  prefix: string,
  { isWhole = false }: StatusScope = {},
): Promise<GitStatus> {
  const status = await git.read([
    'status',
    '--porcelain=v2',
    '-z',
    '--branch',
    '--no-ahead-behind',
    '--untracked-files=all',
    '--no-renames',
    '--ignore-submodules=none',
    '--',
    isWhole ? ':/' : '.',
  ]);
  const lines = splitNul(status);
  const head = valueOf(lines, 'branch.oid');
  return {
    head: head === '(initial)' ? undefined : head,
    isDetached: valueOf(lines, 'branch.head') === '(detached)',
    files: lines
      .map(readLine)
      .filter((file) => file !== undefined)
      .filter(({ path }) => isWhole || path.startsWith(prefix))
      .map((file) => ({ ...file, path: pathFromRoot(prefix, file.path) }))
      .filter(({ path }) => path !== `${STATE_DIR}/` && !path.startsWith(`${STATE_DIR}/`)),
  };
}

/** What a line `# <name> <value>` says. */
function valueOf(lines: readonly string[], name: string): string | undefined {
  const start = `# ${name} `;
  return lines.find((line) => line.startsWith(start))?.slice(start.length);
}

function readLine(line: string): ChangedFile | undefined {
  const kind = line[0];
  if (kind !== '1' && kind !== 'u' && kind !== '?') return undefined;
  const fields = line.split(' ');
  const path = fields.slice(FIELDS[kind]).join(' ');
  const plain = { path, kind: 'file', submodule: '', isGone: false } as const;
  if (kind === 'u') return { ...plain, kind: 'conflict' };
  if (kind === '?') return path.endsWith('/') ? { ...plain, kind: 'repository' } : plain;
  const [, states = '', submodule = 'N...'] = fields;
  if (submodule.startsWith('S')) return { ...plain, kind: 'submodule', submodule };
  // Taken out of the index, too, it may be there nevertheless: then there is a line for a new file after this one.
  return { ...plain, isGone: states.endsWith('D') || states === 'D.' };
}
