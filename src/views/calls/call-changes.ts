import { says } from '../../events/call-files/field-names.ts';
import type { FilesInCall } from '../../events/call-files/files-in-call.ts';
import type { SaidChange, SaidText } from '../../events/call-files/said-change.ts';
import { isOneOf } from '../../events/call-files/same-file.ts';
import { once } from '../../lib/once.ts';
import type { FileNow, FilesNow } from '../../workflow/requests/files-now.ts';
import { eachOnce } from './each-once.ts';
import { LineComparison, MOST_EDITS, replaced, type ChangedLine } from '../changes/compare-lines.ts';

/** What a call would make of a file. */
export type CallChange = {
  readonly path: string;
  /**
   * `edit`: it says what stood there before, or only what is added; `write`: all that the file is to have is there; `delete`: it goes;
   * `move`: another file becomes this one; `name`: nothing is said of it, and a link leads elsewhere.
   */
  readonly how: 'edit' | 'write' | 'delete' | 'move' | 'name';
  /** Every line of both texts: what an agent says was there already may not be. */
  readonly lines: readonly ChangedLine[];
  /** The texts of the arguments that these lines are. */
  readonly texts: readonly string[];
  /** What a patch says of where in the file they are, in its own lines: `@@ function add()`. */
  readonly places: readonly string[];
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

/** The files that a call names: what it would change is among them. */
export function changedPaths({ paths }: FilesInCall): readonly string[] {
  return paths.filter((path) => !path.includes('\n'));
}

/**
 * What a call would change in files, as far as it says it: edits, and files that are written, go, or are moved.
 *
 * @param files - What stands there now. Default: nobody has looked.
 */
export function callChanges({ changes }: FilesInCall, files: FilesNow = new Map()): readonly CallChange[] {
  const said = eachOnce(changes).filter((each) => !isSeenInPlace(each, files));
  const isChanged = isOneOf(changes.map(({ path }) => path));
  const others = [...files].flatMap(([path, { leadsTo }]) =>
    leadsTo === undefined || isChanged(path) ? [] : { path, leadsTo },
  );
  return compared([...unlike(said.map((each) => changeFrom(each, files))), ...others.map(ledElsewhere)]);
}

/** The files into which a call may write one line that is shown where it stands, but not over what. */
export function writesUnshown({ changes }: FilesInCall): readonly string[] {
  return changes.flatMap((said) => (isLine(said) && isBareText(said) ? said.path : []));
}

/** Whether unchanged lines of these may be left out: all of them stand where they are said to stay. */
export function mayFold(changes: readonly CallChange[]): boolean {
  return changes.length > 0 && changes.every(({ isFound }) => isFound);
}

/** One line is seen where it stands among the arguments, but not what it takes the place of. */
function isSeenInPlace(said: SaidChange, files: FilesNow): boolean {
  return isLine(said) && (files.get(said.path)?.is !== 'text' || isBareText(said));
}

/** One line that has a field of its own, as all that its file is to have. */
function isLine(said: SaidChange): said is SaidChange & SaidText {
  if (said.is !== 'write' || said.now.includes('\n')) return false;
  const field = said.keys?.at(-1);
  return field !== undefined && !says.new(String(field));
}

/** A text of which it is not said that it is all of the file. */
function isBareText({ keys }: SaidText): boolean {
  return keys?.at(-1) === 'text';
}

function changeFrom(said: SaidChange, files: FilesNow): Named {
  const file = files.get(said.path);
  switch (said.is) {
    case 'edit':
      return editFrom(said, file);
    case 'insert':
      return insertFrom(said, file);
    case 'write':
      return writtenTo(said, file);
    case 'delete':
    case 'move':
      return fateOf(said, file);
  }
}

function editFrom(
  { path, old, now, patch, places, isDiff = false }: SaidText & Pick<SaidChange, 'path'>,
  file: FileNow | undefined,
): Named {
  return {
    path,
    leadsTo: file?.leadsTo,
    how: 'edit',
    says: [old, now],
    places,
    look: (comparison) => {
      const between = comparison.between(old, now);
      const lines = typeof between === 'string' ? replaced(old, now) : between;
      const whys = [
        ...(file?.is === 'unread' ? [file.why] : []),
        ...(isDiff && mayHaveOthers(file, old) ? [perhapsWhole] : []),
      ];
      if (file?.is !== 'text' || old === '')
        return {
          over: uncompared(whys),
          lines,
          texts: [old, now],
          isFound: old === '',
          firstLine: undefined,
        };
      const found = comparison.find(file.text, old, { isOfLines: patch !== undefined });
      if (found === undefined)
        return {
          over: uncompared([tooLong, ...whys]),
          lines,
          texts: [old, now],
          isFound: false,
          firstLine: undefined,
        };
      return {
        over: uncompared(whys),
        lines,
        texts: [old, now],
        isFound: found.count > 0,
        firstLine: found.line,
      };
    },
  };
}

/** Whether a file may have more than this text: of one that nobody has read, nobody knows. */
function mayHaveOthers(file: FileNow | undefined, text: string): boolean {
  if (file?.is === 'none') return false;
  return file?.is !== 'text' || withoutEnd(file.text) !== withoutEnd(text);
}

/** Why an edit was not compared; `undefined`: nothing is against it. */
function uncompared(whys: readonly string[]): Over | undefined {
  return whys.length === 0 ? undefined : { is: 'uncompared', why: whys.join('; ') };
}

/** Whether a text ends its last line is not told apart. */
const withoutEnd = (text: string) => text.replace(/\n$/, '');

const perhapsWhole = 'it does not say whether that is all the file is to have: other lines of it may go';

const tooLong = 'there is too much to look for in all files of the call together';

/** A text that is put somewhere: what stands around it, or has to go for it, is not said. */
function insertFrom({ path, now }: SaidText & Pick<SaidChange, 'path'>, file: FileNow | undefined): Named {
  const over = { is: 'uncompared', why: 'the call does not say where it goes' } as const;
  const look = () => ({
    over,
    lines: replaced('', now),
    texts: [now],
    isFound: false,
    firstLine: undefined,
  });
  return { path, leadsTo: file?.leadsTo, how: 'edit', says: [now], places: [], look };
}

function writtenTo(
  { path, old, now }: SaidText & Pick<SaidChange, 'path'>,
  file: FileNow | undefined,
): Named {
  const about = { path, leadsTo: file?.leadsTo, how: 'write', says: [old, now], places: [] } as const;
  if (file?.is !== 'text') {
    // What the agent says of before is not what stands there.
    const look = () => ({
      over: overOf(file),
      lines: replaced('', now),
      texts: [now],
      isFound: true,
      firstLine: undefined,
    });
    return { ...about, look };
  }
  return {
    ...about,
    look: (comparison) => {
      const at = { isFound: true, firstLine: 1 };
      const lines = comparison.between(file.text, now);
      // Nobody finds what is new among so much that is not.
      if (typeof lines === 'string')
        return {
          ...at,
          over: { is: 'uncompared', why: tooUnlike[lines] },
          lines: replaced('', now),
          texts: [now],
        };
      return { ...at, over: { is: 'text' }, lines, texts: old === file.text ? [old, now] : [now] };
    },
  };
}

const tooUnlike = {
  it: `more than ${MOST_EDITS.toLocaleString('en-US')} lines of it would be others`,
  'the call': 'too many lines would be others in all files of the call together',
};

/** A file that goes, or that another one becomes: of what stands there only whether there is something. */
function fateOf(
  { path, is }: Extract<SaidChange, { readonly is: 'delete' | 'move' }>,
  file: FileNow | undefined,
): Named {
  const look = () => ({ over: overOf(file), lines: [], texts: [], isFound: true, firstLine: undefined });
  return { path, leadsTo: file?.leadsTo, how: is, says: [], places: [], look };
}

/** A file that is only named, where a link leads elsewhere. */
function ledElsewhere({ path, leadsTo }: Pick<CallChange, 'path' | 'leadsTo'>): Named {
  const look = () => ({ over: undefined, lines: [], texts: [], isFound: true, firstLine: undefined });
  return { path, leadsTo, how: 'name', says: [], places: [], look };
}

function overOf(file: FileNow | undefined): Over | undefined {
  if (file?.is === 'unread') return { is: 'uncompared', why: file.why };
  return file && { is: file.is };
}

/** What is found by looking at the lines of a change. */
type Looked = Pick<CallChange, 'lines' | 'over' | 'texts' | 'isFound' | 'firstLine'>;

/** A change of which nobody has looked yet what it is line by line. */
type Named = Omit<CallChange, keyof Looked> & {
  /** The texts that the call has of it, whether they are shown or not. */
  readonly says: readonly string[];
  readonly look: (comparison: LineComparison) => Looked;
};

/**
 * Who wants to know only which files these are about does not wait for what of them changes. One is looked at after the
 * other, whichever is asked for first: what is left for it then is always the same.
 */
function compared(changes: readonly Named[]): readonly CallChange[] {
  const looked = once(() => {
    const comparison = new LineComparison();
    return changes.map(({ look }) => look(comparison));
  });
  return changes.map((change, at) => {
    const { look: _, says: _said, ...about } = change;
    return {
      ...about,
      get lines() {
        return looked()[at]?.lines ?? [];
      },
      get over() {
        return looked()[at]?.over;
      },
      get texts() {
        return looked()[at]?.texts ?? [];
      },
      get isFound() {
        return looked()[at]?.isFound ?? false;
      },
      get firstLine() {
        return looked()[at]?.firstLine;
      },
    };
  });
}

function unlike(changes: readonly Named[]): Named[] {
  const seen = new Set<string>();
  return changes.filter(({ path, how, says, places }) => {
    const key = JSON.stringify([path, how, says, places]);
    return !seen.has(key) && seen.add(key);
  });
}
