import { isJsonObject } from '../../lib/json/json-object.ts';

/** The input of a tool: of an agent's own it has no schema that anybody but the agent knows. */
export type Fields = Readonly<Record<string, unknown>>;

/** A name however it is written: `TargetFile`, `target_file`. `shown`: as a field of that name was there already. */
function plainName(name: string): string {
  return name
    .replace(/(?: shown)+$/, '')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
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
const ofUrls = named('url urls uri uris');
const ofMoves = named('movepath');
const ofOld = named('oldtext oldstring oldstr oldcontent targetcontent');
const ofNew = named('newtext newstring newstr newcontent newsource replacementcontent');
/** Without what stood there before, these are all that the file is to have. The others are put among what is there. */
const ofNewWhole = named('newtext newcontent');
const ofWhole = named('content contents filetext filecontent codecontent text');
const ofPatch = named('patch patchtext diff unifieddiff');
/** What says what becomes of a file, in a word. */
const ofKind = named('type kind op operation action changetype');
/** An object in one of these may have a field for each file, by its path. */
const ofMaps = named('changes filechanges files filepatches edits documentchanges');

/** Which names say what of files, however they are written. */
export const says = {
  file: (name: string) => ofFile.has(plainName(name)),
  path: (name: string) => ofPaths.has(plainName(name)),
  url: (name: string) => ofUrls.has(plainName(name)),
  move: (name: string) => ofMoves.has(plainName(name)),
  old: (name: string) => ofOld.has(plainName(name)),
  new: (name: string) => ofNew.has(plainName(name)),
  newWhole: (name: string) => ofNewWhole.has(plainName(name)),
  whole: (name: string) => ofWhole.has(plainName(name)),
  patch: (name: string) => ofPatch.has(plainName(name)),
  kind: (name: string) => ofKind.has(plainName(name)),
  map: (name: string) => ofMaps.has(plainName(name)),
} as const;

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

/**
 * The names of a map of files by their paths. Where one of them says something else of a file, only those that can be nothing
 * but a path.
 */
export function pathKeys(field: string, value: unknown): readonly string[] {
  if (!says.map(field) || !isJsonObject(value)) return [];
  const names = Object.keys(value);
  const isOneFile = names.some((name) => Object.values(says).some((isSuch) => isSuch(name)));
  return isOneFile ? names.filter(isPathLike) : names;
}

/** Whether a name can hardly be anything but a path. */
export function isPathLike(name: string): boolean {
  return /[/\\.]/.test(name);
}

/** The path that a `file:` URL has, decoded; any other text as it is. */
export function pathOfUrl(text: string): string {
  const [, path] = /^file:\/\/(?:localhost)?(\/[^?#]*)/i.exec(text) ?? [];
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
  return /^file:\/\/(?:localhost)?\//i.test(text);
}
