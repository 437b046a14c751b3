import { splitNul, type Git } from './git.ts';

/** What became of one file. */
export type FileChange = {
  /** From the project's root, with `/`. */
  readonly path: string;
  readonly how: 'added' | 'changed' | 'removed';
  /** Numbers of lines; `undefined`: they are not counted, as of a file that is no text. */
  readonly lines: { readonly added: number; readonly removed: number } | undefined;
  /** The hunks of its unified diff; empty where there is none to be shown. */
  readonly patch: string;
  /** What there is to say about it beside that. */
  readonly note: string | undefined;
};

/** What makes git say of each file what became of it, whatever the configuration says. */
const OPTIONS = [
  '--no-renames',
  '--no-abbrev',
  '--relative',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--ignore-submodules=dirty',
  '--submodule=short',
];

/** Most files, and most changed lines of all of them together, whose differences are read. */
const MOST_FILES = 500;
const MOST_LINES = 50_000;

/** Says which files differ, and how. */
export async function compare(
  git: Git,
  [command, ...what]: readonly [command: string, ...what: string[]],
): Promise<FileChange[]> {
  const found = readList(
    await git.read([command, ...OPTIONS, '--raw', '--numstat', '-z', ...what, '--', '.']),
  );
  const wanted = withinLimits(found);
  const patches = wanted.length === 0 ? [] : await readPatches(git, [command, ...what], wanted);
  const byPath = new Map(wanted.map(({ path }, at) => [path, patches[at] ?? '']));
  return found.map((change) => ({
    ...change,
    patch: byPath.get(change.path) ?? '',
    note: noteOf(change, byPath),
  }));
}

type Listed = Pick<FileChange, 'path' | 'how' | 'lines'> & { readonly modes: readonly [string, string] };

const hows: Readonly<Record<string, FileChange['how']>> = { A: 'added', D: 'removed' };

/** Records of `:<old mode> <new mode> <old id> <new id> <letter>` and path, then of `<added>\t<removed>\t<path>`. */
function readList(output: string): Listed[] {
  const parts = splitNul(output);
  const files = new Map<string, Listed>();
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at] ?? '';
    if (part.startsWith(':')) {
      const [from = '', to = '', , , letter = ''] = part.slice(1).split(' ');
      const path = parts[(at += 1)] ?? '';
      files.set(path, { path, how: hows[letter] ?? 'changed', lines: undefined, modes: [from, to] });
    } else {
      const [, added, removed, path = ''] = /^(\d+|-)\t(\d+|-)\t([^]*)$/.exec(part) ?? [];
      const file = files.get(path);
      if (file && added !== '-')
        files.set(path, { ...file, lines: { added: Number(added), removed: Number(removed) } });
    }
  }
  return [...files.values()];
}

function withinLimits(files: readonly Listed[]): Listed[] {
  let left = MOST_LINES;
  const wanted = files.filter(({ lines }) => {
    const size = lines ? lines.added + lines.removed : 0;
    if (size === 0 || size > left) return false;
    left -= size;
    return true;
  });
  return wanted.slice(0, MOST_FILES);
}

/** The hunks of these files, in their order. None when a file has changed meanwhile: the next look has them. */
async function readPatches(
  git: Git,
  [command = '', ...what]: readonly string[],
  files: readonly Listed[],
): Promise<string[]> {
  const prefixes = ['--src-prefix=a/', '--dst-prefix=b/'];
  const paths = files.map(({ path }) => path);
  const { code, stdout } = await git.run(
    ['--literal-pathspecs', command, ...OPTIONS, ...prefixes, '-p', '-U3', ...what, '--', ...paths],
    { tooMuch: 'the differences are longer than 64 MiB' },
  );
  if (code !== 0) return [];
  // Lines of files stand behind a blank, a sign or nothing: none can begin like this.
  const sections = new Map<string, string>();
  for (const section of stdout.toString('utf8').split(/^(?=diff --git )/m)) {
    const [header = ''] = section.split('\n', 1);
    const hunks = /^@@ [^]*$/m.exec(section)?.[0] ?? '';
    // One that has become a link, or was one, has two.
    if (header !== '') sections.set(header, `${sections.get(header) ?? ''}${hunks}`);
  }
  return sections.size === files.length ? [...sections.values()] : [];
}

function noteOf({ path, how, lines, modes: [from, to] }: Listed, patches: ReadonlyMap<string, string>) {
  if (from === SUBMODULE || to === SUBMODULE) return 'A repository of its own';
  if (!lines) return 'Not a text: nothing of it is shown';
  const isEmpty = lines.added + lines.removed === 0;
  if (isEmpty && how === 'changed') return `Permissions: ${from.slice(-3)} before, ${to.slice(-3)} now`;
  if (isEmpty) return 'It is empty';
  return (patches.get(path) ?? '') === '' ? 'Its differences are too long to be shown here' : undefined;
}

const SUBMODULE = '160000';
