import { isJsonObject } from '../../lib/json/json-object.ts';

/** The input of a tool: of an agent's own it has no schema that anybody but the agent knows. */
export type Fields = Readonly<Record<string, unknown>>;

/** What a field was called that stands beside one of its name. */
export function withoutShown(name: string): string {
  let own = name;
  while (own.endsWith(' shown')) own = own.slice(0, -' shown'.length);
  return own;
}

/** No field that is known has a longer name, in UTF-16 units. */
const LONGEST_NAME = 200;

/** A name however it is written: `TargetFile`, `target_file`. */
export function plainName(name: string): string {
  if (name.length > LONGEST_NAME) return '';
  return withoutShown(name)
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}

/** The words of a name: `oldUri` and `old_uri` have the same. */
function wordsOf(name: string): readonly string[] {
  if (name.length > LONGEST_NAME) return [];
  const parts = name.replaceAll(/(\p{Ll}|\p{N})(?=\p{Lu})/gu, '$1 ').split(/[^\p{L}\p{N}]+/u);
  return parts.filter((part) => part !== '').map((part) => part.toLowerCase());
}

type Names = ReadonlySet<string>;

const named = (names: string): Names => new Set(names.split(/\s+/));

/** What names the file that an object is about. */
const ofFile = named('path file filepath filename abspath absolutepath notebookpath targetfile');
/** What names files in any other way: several, folders, where from and where to. */
const ofPaths = new Set([
  ...ofFile,
  ...named(`paths files filepaths filenames abspaths locations directory dirpath source destination from to target
    sourcepath sourcefile destinationpath destinationfile targetpath oldpath newpath movepath`),
]);
/** With one of these as the last word of its name a field may name files, too: `output_path`, `dst`. */
const endsOfPaths =
  named(`path paths file files filename filenames filepath filepaths dir dirs directory directories folder
  folders location locations src dst dest destination`);
const endsOfUrls = named('url urls uri uris');
const ofMoves = named('movepath');
const ofOld = named('oldtext oldstring oldstr oldcontent targetcontent');
const ofNew = named('newtext newstring newstr newcontent newsource replacementcontent');
/** Without what stood there before, these are all that the file is to have. The others are put among what is there. */
const ofNewWhole = named('newtext newcontent');
const ofWhole = named('content contents filetext filecontent codecontent text');
const ofPatch = named('patch patches patchtext diff diffs unifieddiff');
/** What says what becomes of a file, in a word. */
const ofKind = named('type kind op operation action changetype');
/** An object in one of these may have a field for each file, by its path. */
const ofMaps = named('changes filechanges files filepatches edits documentchanges updates writes');
/** What has a command line. */
const ofCommands = named('command cmd commands script');
/** What has one by its name, and is not looked at for one. */
const ofOtherCommands = named('commandline cmdline commandstring shellcommand bashcommand shellscript');
const ofArguments = named('args arguments');
/** What may say in which folder a command runs. */
const ofFolders =
  named(`cwd workdir workingdir workingdirectory workdirectory directory dir dirpath folder cd currentdir
  currentdirectory`);
/** What is said in words, or looked for: no file, whatever it looks like. */
const ofWords =
  named(`command cmd commands script args arguments cwd workdir pattern query regex glob globs include includes
  includepattern exclude excludepattern ignore description prompt title reason explanation instruction instructions message summary thought todos`);

/** Which names say what of files, however they are written. */
export const says = {
  file: (name: string) => ofFile.has(plainName(name)),
  path: (name: string) => ofPaths.has(plainName(name)),
  url: (name: string) => endsOfUrls.has(wordsOf(name).at(-1) ?? ''),
  move: (name: string) => ofMoves.has(plainName(name)),
  old: (name: string) => ofOld.has(plainName(name)),
  new: (name: string) => ofNew.has(plainName(name)),
  newWhole: (name: string) => ofNewWhole.has(plainName(name)),
  whole: (name: string) => ofWhole.has(plainName(name)),
  patch: (name: string) => ofPatch.has(plainName(name)),
  kind: (name: string) => ofKind.has(plainName(name)),
  map: (name: string) => ofMaps.has(plainName(name)),
} as const;

/** What fields say of a command, however they are written. */
export const saysOfCommands = {
  command: (name: string) => ofCommands.has(plainName(name)) || ofOtherCommands.has(plainName(name)),
  arguments: (name: string) => ofArguments.has(plainName(name)),
  folder: (name: string) => ofFolders.has(plainName(name)),
} as const;

/** Whether a field says what becomes of a file around what it is: `{ "update": { … } }`. */
export function isTag(name: string): boolean {
  return /^(?:add|create|update|modify|delete|remove)$/i.test(name);
}

/** Whether a field may name files, by the last word of its name. */
export function mayNameFiles(name: string): boolean {
  return endsOfPaths.has(wordsOf(name).at(-1) ?? '');
}

/** Words by which a file goes. */
const ofDeletion = named('delete deleted remove removed unlink unlinked rm rmdir trash erase');

/** Whether a word for what becomes of files says that they go: `delete_file`. */
export function isDeletionWord(text: string): boolean {
  return wordsOf(text).some((word) => ofDeletion.has(word));
}

/** Whether nobody here knows what a field of this name says. */
export function isUnknownName(name: string): boolean {
  return !ofWords.has(plainName(name)) && !Object.values(says).some((isSuch) => isSuch(name));
}

/** Whether a text is a URL that leads to another machine. */
export function isLink(text: string): boolean {
  return /^(?:https?|wss?|ftps?|ssh|git):\/\//i.test(text);
}

/** Whether a text is a path, by what it begins with, or by its slashes. */
export function isPathText(text: string): boolean {
  return (
    /^(?:\/|~|\.\.$|\.{1,2}[/\\]|[A-Za-z]:[/\\]|file:)[^\n]*$/.test(text) ||
    /^[^\s:<>]+\/[^\s<>]*$/.test(text) ||
    /(?:^|[/\\])\.clifford(?:[/\\]|$)/.test(text)
  );
}

/** Whether a field has a command, in a spelling or at a place where no command line is looked for. */
export function isOddCommand(name: string, level: number): boolean {
  const plain = plainName(name);
  return ofOtherCommands.has(plain) || (ofCommands.has(plain) && (level > 0 || plain !== name));
}

/** Whether a text is arguments by itself. */
export function isJsonText(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

/** The texts in the fields with such names, each of which may hold one or a list. */
export function textsIn(input: Fields, isSuch: (name: string) => boolean): string[] {
  return Object.entries(input).flatMap(([name, value]) => (isSuch(name) ? textsOfField(value) : []));
}

/** The texts that a field holds, one or a list. */
export function textsOfField(value: unknown): string[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  return all.filter((each) => typeof each === 'string' && each !== '') as string[];
}

/** The fields with such names that hold a text, which may be empty. */
export function textFields(
  input: Fields,
  isSuch: (name: string) => boolean,
): readonly (readonly [name: string, text: string])[] {
  return Object.entries(input).flatMap(([name, value]) =>
    typeof value === 'string' && isSuch(name) ? [[name, value] as const] : [],
  );
}

/** The names of a map of files by their paths. */
export type PathKeys = {
  /** Where one of them says something else of a file, only those that can be nothing but a path. */
  readonly names: readonly string[];
  /** What may be one, too, or not. */
  readonly hasOthers: boolean;
};

/** Which names of an object in a field are paths of files. */
export function pathKeys(field: string, value: Fields): PathKeys {
  const names = Object.keys(value);
  if (!says.map(field)) return { names: names.filter((name) => name.includes('/')), hasOthers: false };
  const isOneFile = names.some((name) => Object.values(says).some((isSuch) => isSuch(name)));
  if (!isOneFile) return { names, hasOthers: false };
  const others = names.filter((name) => !isPathLike(name) && isUnknownName(name));
  return {
    names: names.filter(isPathLike),
    hasOthers: others.some((name) => isJsonObject(value[name]) || Array.isArray(value[name])),
  };
}

/** Whether a name can hardly be anything but a path. */
export function isPathLike(name: string): boolean {
  return /[/\\.]/.test(name);
}

/** The path that a `file:` URL has, decoded; any other text as it is. */
export function pathOfUrl(text: string): string {
  const [, path] = ofFileUrl.exec(text) ?? [];
  // What encodes a separator is a path to some, and part of a name to others.
  if (path === undefined || /%(?:00|2f|5c)/i.test(path)) return text;
  try {
    return decodeURIComponent(path);
  } catch {
    return text;
  }
}

/** Whether a URL is of a file of this machine, and reaches no other. */
export function isFileUrl(text: string): boolean {
  return ofFileUrl.test(text);
}

const ofFileUrl = /^file:(?:\/\/(?:localhost)?)?(\/(?!\/)[^?#]*)/i;

/** Whether it is a list of lists. */
export function hasLists(value: unknown): boolean {
  return Array.isArray(value) && value.some(Array.isArray);
}

/** Whether there may be fields in a value. */
export function mayHaveFields(value: unknown): boolean {
  return (
    isJsonObject(value) ||
    (Array.isArray(value) && value.some((each) => isJsonObject(each) || Array.isArray(each)))
  );
}
