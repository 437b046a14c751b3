/**
 * Every file that a patch names, also one that is understood in part: a line of a file may be taken for a name. `readings`: what
 * else other programs may take it for.
 */
export function pathsInPatch(text: string): {
  readonly named: readonly string[];
  readonly readings: readonly string[];
} {
  const heads = text.split('\n').flatMap((line) => headsIn(line.trimEnd()));
  return {
    named: [...new Set(heads.map(({ path }) => path))],
    readings: [...new Set(heads.flatMap(({ readings = [] }) => readings))],
  };
}

/** A name in a line of a patch, and what else may be meant by it. */
type Head = { readonly path: string; readonly readings?: readonly string[] };

function headsIn(line: string): readonly Head[] {
  const [, marked] = /^\s*\*\*\* *(?:(?:Add|Update|Delete) File|Move to) *:\s*([^\n]+)/.exec(line) ?? [];
  // What comes after a colon is no part of the name to some.
  if (marked !== undefined) return [{ path: marked, readings: marked.split(':', 1) }];
  const [, moved] = /^(?:rename|copy) (?:from|to) ([^\n]+)/.exec(line) ?? [];
  if (moved !== undefined) return [{ path: moved, readings: unquoted(moved) }];
  const [, ofGit] = /^diff --git ([^\n]+)/.exec(line) ?? [];
  if (ofGit !== undefined) {
    const path = pathOfGit(ofGit);
    if (path === undefined) return ofGit.split(' ').map((name) => headOf(name));
    return ofGit.startsWith(path) ? [headOf(path)] : [{ path }];
  }
  const [, mark = '', said = ''] = /^(---|\+\+\+|Index:) ([^\n]+)/.exec(line) ?? [];
  const name = nameIn(said);
  return name === '' || name === NONE ? [] : [headOf(name, prefixes[mark])];
}

/** What Git puts in front of the names of both sides. */
const prefixes: Readonly<Record<string, string>> = { '---': 'a/', '+++': 'b/' };

/** What is in front of the first slash is no part of the path to some, and what comes after a blank a date. */
function headOf(name: string, prefix?: string): Head {
  const [word = name] = name.split(/\s/, 1);
  const isOfGit = prefix !== undefined && name.startsWith(prefix);
  const path = isOfGit ? name.slice(prefix.length) : name;
  const others = isOfGit ? [word.slice(prefix.length)] : [word, afterSlash(name), afterSlash(word)];
  const plain = [...others, ...unquoted(name).flatMap((each) => [each, afterSlash(each)])];
  // Slashes in front are taken away with what stood before them.
  const all = [...plain, ...(isOfGit ? [path, ...others].map((each) => each.replace(/^\/+/, '')) : [])];
  return { path, readings: all.filter((each) => each !== '' && each !== path) };
}

function afterSlash(name: string): string {
  return name.startsWith('/') ? name : name.slice(name.indexOf('/') + 1).replace(/^\/+/, '');
}

/** A name in quotes as Git writes it, with bytes as three digits. */
function unquoted(name: string): readonly string[] {
  const [, inner] = /^"(.*)"$/s.exec(name) ?? [];
  if (inner === undefined) return [];
  const bytes = inner.replaceAll(/\\([0-3][0-7]{2})/g, (_, digits: string) =>
    String.fromCharCode(parseInt(digits, 8)),
  );
  return [Buffer.from(bytes.replaceAll(/\\(["\\])/g, '$1'), 'latin1').toString('utf8')];
}

/** The file that both names of `diff --git` are of. `undefined`: they differ, or nobody knows where the first one ends. */
export function pathOfGit(names: string): string | undefined {
  const half = (names.length - 1) / 2;
  const [old, now] = [names.slice(0, half), names.slice(half + 1)];
  if (names.startsWith('"') || !Number.isInteger(half) || names[half] !== ' ') return undefined;
  if (old.startsWith('a/') && now.startsWith('b/') && old.slice(2) === now.slice(2)) return old.slice(2);
  return old === now && !/^[ab]\//.test(old) ? old : undefined;
}

/** What stands in the place of a file that is not there on one side. */
const NONE = '/dev/null';

/** The name in a line of a head: what comes after a tab is a date. */
export function nameIn(head: string): string {
  return head.trimEnd().split('\t', 1)[0] ?? '';
}

/** The files that both heads name, without what Git puts in front of them; `undefined`: there is none. */
export function sidesOf(
  before: string,
  after: string,
): readonly [old: string | undefined, now: string | undefined] {
  const [old, now] = [nameIn(before), nameIn(after)];
  const isOfGit = [old.startsWith('a/') || old === NONE, now.startsWith('b/') || now === NONE].every(Boolean);
  const nameOf = (name: string) => (name === NONE ? undefined : isOfGit ? name.slice(2) : name);
  return [nameOf(old), nameOf(now)];
}
