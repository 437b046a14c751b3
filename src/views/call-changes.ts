import { diffArrays } from 'diff';
import { isJsonObject } from '../lib/json/json-object.ts';
import { once } from '../lib/once.ts';

/** A line of a file as a call would leave it, or take it away. */
export type ChangedLine = { readonly is: 'added' | 'removed' | 'kept'; readonly text: string };

/** What a call would make of a file. */
export type CallChange = {
  readonly path: string;
  /** It says what stood there before; otherwise all that the file is to have is new. */
  readonly isEdit: boolean;
  /** Every line of both texts: what an agent says was there already may not be. */
  readonly lines: readonly ChangedLine[];
  /** The texts of the arguments that these lines are. */
  readonly texts: readonly string[];
};

type Fields = Readonly<Record<string, unknown>>;

/** How calls name a file, what stood there before, what stands there then, and all that it is to have. */
export const pathNames = [
  'path',
  'file_path',
  'filePath',
  'filename',
  'file',
  'abs_path',
  'target_file',
  'notebook_path',
];
export const oldNames = ['oldText', 'old_string', 'oldString', 'old_str', 'old_text'];
export const newNames = ['newText', 'new_string', 'newString', 'new_str', 'new_text', 'new_source'];
export const wholeNames = ['content', 'contents', 'file_text', 'fileText', 'text'];
/** Lists in which agents hand over several changes. */
export const listNames = ['changes', 'changes shown', 'edits', 'content', 'content shown'];

/** So many lines in and out are looked for; with more, all of the old is out, and all of the new is in. */
const MOST_EDITS = 2_000;

/** What a call with these arguments would change in files, as far as it says it: edits, and files that are written. */
export function callChanges(args: unknown): readonly CallChange[] {
  if (!isJsonObject(args)) return [];
  const path = textOf(args, pathNames);
  const listed = listNames.flatMap((name) => {
    const list = Object.hasOwn(args, name) ? args[name] : undefined;
    return Array.isArray(list) ? list.filter(isJsonObject).flatMap((each) => editOf(each, path)) : [];
  });
  // Some agents say the same in their input, and in what they show.
  return listed.length > 0 ? unlike(listed) : [...editOf(args, path), ...writeOf(args, path)].slice(0, 1);
}

function editOf(fields: Fields, elsewhere: string | undefined): CallChange[] {
  const [path, now] = [textOf(fields, pathNames) ?? elsewhere, textOf(fields, newNames)];
  if (path === undefined || now === undefined) return [];
  const old = textOf(fields, oldNames);
  return [changeOf(path, old !== undefined, [old ?? '', now])];
}

function writeOf(fields: Fields, path: string | undefined): CallChange[] {
  const content = textOf(fields, wholeNames);
  // One line is seen where it stands.
  if (path === undefined || content?.includes('\n') !== true) return [];
  return [changeOf(path, false, [content])];
}

/** Who wants to know only which file it is about does not wait for what of it changes. */
function changeOf(path: string, isEdit: boolean, texts: readonly string[]): CallChange {
  const lines = once(() => linesBetween(isEdit ? (texts[0] ?? '') : '', texts.at(-1) ?? ''));
  return {
    path,
    isEdit,
    texts,
    get lines() {
      return lines();
    },
  };
}

function unlike(changes: readonly CallChange[]): CallChange[] {
  const seen = new Set<string>();
  return changes.filter(({ path, texts }) => {
    const key = JSON.stringify([path, texts]);
    return !seen.has(key) && seen.add(key);
  });
}

function textOf(fields: Fields, names: readonly string[]): string | undefined {
  const found = names.find((name) => Object.hasOwn(fields, name) && typeof fields[name] === 'string');
  const value = found === undefined ? undefined : fields[found];
  return typeof value === 'string' ? value : undefined;
}

function linesBetween(old: string, now: string): readonly ChangedLine[] {
  const [before, after] = [linesOf(old), linesOf(now)];
  const asLines = (is: ChangedLine['is'], lines: readonly string[]) => lines.map((text) => ({ is, text }));
  const parts = diffArrays(before, after, { maxEditLength: MOST_EDITS }) as
    | ReturnType<typeof diffArrays<string>>
    | undefined;
  if (!parts) return [...asLines('removed', before), ...asLines('added', after)];
  return parts.flatMap(({ added, removed, value }) =>
    asLines(added ? 'added' : removed ? 'removed' : 'kept', value),
  );
}

/** Each with its end of line, but for a last one that has none. */
function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}
