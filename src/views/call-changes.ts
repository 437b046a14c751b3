import { isJsonObject } from '../lib/json/json-object.ts';
import { once } from '../lib/once.ts';
import type { FileNow, FilesNow } from '../workflow/requests/files-now.ts';
import { LineComparison, MOST_EDITS, replaced, type ChangedLine } from './compare-lines.ts';

/** What a call would make of a file. */
export type CallChange = {
  readonly path: string;
  /** It says what stood there before; otherwise all that the file is to have is there. */
  readonly isEdit: boolean;
  /** Every line of both texts: what an agent says was there already may not be. */
  readonly lines: readonly ChangedLine[];
  /** The texts of the arguments that these lines are. */
  readonly texts: readonly string[];
  /** What it takes the place of; of an edit only why it could not be compared. `undefined`: nobody has looked. */
  readonly over: Over | undefined;
  /** Where the file is, if links on its path lead elsewhere. */
  readonly leadsTo: string | undefined;
  /** Whether the lines that are said to stay have been found where they are to stay. */
  readonly isFound: boolean;
  /** The line of the file, from 1, with which these begin; `undefined`: nobody knows, or its text is there twice. */
  readonly firstLine: number | undefined;
};

/** What a file takes the place of: nothing, a text with which it is compared, or what it cannot be compared with, and why. */
export type Over =
  | { readonly is: 'none' }
  | { readonly is: 'text' }
  | { readonly is: 'uncompared'; readonly why: string };

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

/** The files that a call with these arguments names as what it would change. */
export function changedPaths(args: unknown): readonly string[] {
  return isJsonObject(args) ? [...new Set([args, ...listedIn(args)].flatMap(pathsOf))] : [];
}

/**
 * What a call with these arguments would change in files, as far as it says it: edits, and files that are written.
 *
 * @param files - What stands there now. Default: nobody has looked.
 */
export function callChanges(args: unknown, files: FilesNow = new Map()): readonly CallChange[] {
  if (!isJsonObject(args)) return [];
  const paths = pathsOf(args);
  const listed = listedIn(args).flatMap((each) => editsOf(each, paths, files));
  const edits = editsOf(args, paths, files);
  const own = edits.length > 0 ? edits : writesOf(args, paths, files);
  // Some agents say the same in their input, and in what they show: not what is of another file.
  const others = own.filter(({ path }) => !listed.some((shown) => isSameFile(path, shown.path)));
  return compared(unlike([...listed, ...others]));
}

/** The files into which a call with these arguments may write one line that is shown where it stands, but not over what. */
export function writesUnshown(args: unknown): readonly string[] {
  if (!isJsonObject(args)) return [];
  const line = textOf(args, ['text']);
  return line !== undefined && !line.includes('\n') ? pathsOf(args) : [];
}

/** Whether two paths may well be of one file: one of them from the root of the project on. */
function isSameFile(one: string, other: string): boolean {
  return one === other || one.endsWith(`/${other}`) || other.endsWith(`/${one}`);
}

/** Whether unchanged lines of these may be left out: all of them stand where they are said to stay. */
export function mayFold(changes: readonly CallChange[]): boolean {
  return changes.length > 0 && changes.every(({ isFound }) => isFound);
}

function listedIn(args: Fields): readonly Fields[] {
  return listNames.flatMap((name) => {
    const list = Object.hasOwn(args, name) ? args[name] : undefined;
    return Array.isArray(list) ? list.filter(isJsonObject) : [];
  });
}

/** The files that something names as its own: where it has several names for it, nobody here knows which of them counts. */
function pathsOf(fields: Fields): readonly string[] {
  return [...new Set(pathNames.flatMap((name) => textOf(fields, [name]) ?? []))];
}

function editsOf(fields: Fields, elsewhere: readonly string[], files: FilesNow): Named[] {
  const [own, now] = [pathsOf(fields), textOf(fields, newNames)];
  if (now === undefined) return [];
  const old = textOf(fields, oldNames);
  // Of the others some put their text among what is there.
  const isWhole = textOf(fields, ['newText']) !== undefined;
  return (own.length > 0 ? own : elsewhere).map((path) =>
    old === undefined
      ? writtenTo(path, now, isWhole ? files.get(path) : undefined)
      : editFrom(path, [old, now], files.get(path)),
  );
}

function writesOf(fields: Fields, paths: readonly string[], files: FilesNow): Named[] {
  const content = textOf(fields, wholeNames);
  if (content === undefined) return [];
  return paths.flatMap((path) => {
    const file = files.get(path);
    // One line is seen where it stands, but not what it takes the place of.
    const isSeen = !content.includes('\n') && (file?.is !== 'text' || textOf(fields, ['text']) === content);
    return isSeen ? [] : [writtenTo(path, content, file)];
  });
}

function editFrom(
  path: string,
  texts: readonly [old: string, now: string],
  file: FileNow | undefined,
): Named {
  const [old, now] = texts;
  const whole = file?.is === 'text' && old !== '' ? file.text : '';
  const first = whole.indexOf(old);
  const isFound = old === '' || (whole !== '' && first >= 0);
  const isOnce = whole !== '' && first >= 0 && !whole.includes(old, first + 1);
  const firstLine = isOnce ? whole.slice(0, first).split('\n').length : undefined;
  const over = file?.is === 'unread' ? ({ is: 'uncompared', why: file.why } as const) : undefined;
  const about = { path, leadsTo: file?.leadsTo, isEdit: true, texts, isFound, firstLine };
  return {
    ...about,
    look: (comparison) => {
      const lines = comparison.between(old, now);
      return { over, lines: typeof lines === 'string' ? replaced(old, now) : lines };
    },
  };
}

function writtenTo(path: string, now: string, file: FileNow | undefined): Named {
  const about = { path, leadsTo: file?.leadsTo, isEdit: false, texts: [now], isFound: true };
  if (file?.is !== 'text') {
    const over =
      file &&
      (file.is === 'none' ? ({ is: 'none' } as const) : ({ is: 'uncompared', why: file.why } as const));
    return { ...about, firstLine: undefined, look: () => ({ over, lines: replaced('', now) }) };
  }
  return {
    ...about,
    firstLine: 1,
    look: (comparison) => {
      const lines = comparison.between(file.text, now, { isOfFile: true });
      // Nobody finds what is new among so much that is not.
      if (typeof lines === 'string')
        return { over: { is: 'uncompared', why: tooUnlike[lines] }, lines: replaced('', now) };
      return { over: { is: 'text' }, lines };
    },
  };
}

const tooUnlike = {
  it: `more than ${MOST_EDITS.toLocaleString('en-US')} lines of it would be others`,
  'the call': 'too many lines would be others in all files of the call together',
};

/** A change of which nobody has looked yet what it is line by line. */
type Named = Omit<CallChange, 'lines' | 'over'> & {
  readonly look: (comparison: LineComparison) => Pick<CallChange, 'lines' | 'over'>;
};

/**
 * Who wants to know only which files these are about does not wait for what of them changes. One is looked at after the
 * other, whichever is asked for first: what is left for it then is always the same.
 */
function compared(changes: readonly Named[]): readonly CallChange[] {
  const seen = once(() => {
    const comparison = new LineComparison();
    return changes.map(({ look }) => look(comparison));
  });
  return changes.map(({ look: _look, ...about }, at) => ({
    ...about,
    get lines() {
      return seen()[at]?.lines ?? [];
    },
    get over() {
      return seen()[at]?.over;
    },
  }));
}

function unlike(changes: readonly Named[]): Named[] {
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
