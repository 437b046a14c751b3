import { isJsonObject } from '../../lib/json/json-object.ts';
import { jsonValue } from '../../lib/json/json-value.ts';
import { textsIn } from '../../lib/json/texts-in.ts';
import { hasMeaning, namesUrl } from './field-table.ts';
import { plainName, wordsOf } from './plain-name.ts';

/** The input of a tool: of an agent's own it has no schema that anybody but the agent knows. */
export type Fields = Readonly<Record<string, unknown>>;

/** Which names say what of files, however they are written. */
export const says = {
  file: (name: string) => hasMeaning(name, 'file'),
  path: (name: string) => hasMeaning(name, 'path'),
  url: namesUrl,
  move: (name: string) => hasMeaning(name, 'move'),
  old: (name: string) => hasMeaning(name, 'old'),
  new: (name: string) => hasMeaning(name, 'new'),
  newWhole: (name: string) => hasMeaning(name, 'newWhole'),
  whole: (name: string) => hasMeaning(name, 'whole'),
  patch: (name: string) => hasMeaning(name, 'patch'),
  kind: (name: string) => hasMeaning(name, 'kind'),
  map: (name: string) => hasMeaning(name, 'map'),
} as const;

/** What fields say of a command, however they are written. */
export const saysOfCommands = {
  command: (name: string) => hasMeaning(name, 'command', 'otherCommand'),
  arguments: (name: string) => hasMeaning(name, 'arguments'),
  folder: (name: string) => hasMeaning(name, 'folder'),
} as const;

/** Whether a field says what becomes of a file around what it is: `{ "update": { … } }`. */
export function isTag(name: string): boolean {
  return /^(?:add|create|update|modify|delete|remove)$/i.test(name);
}

/** Words by which a file goes. */
const ofDeletion: ReadonlySet<string> = new Set(
  'delete deleted remove removed unlink unlinked rm rmdir trash erase'.split(' '),
);

/** Whether a word for what becomes of files says that they go: `delete_file`. */
export function isDeletionWord(text: string): boolean {
  return wordsOf(text).some((word) => ofDeletion.has(word));
}

/** Whether nobody here knows what a field of this name says. */
export function isUnknownName(name: string): boolean {
  const isNoFile = hasMeaning(name, 'words', 'noFile', 'command', 'arguments', 'cwd');
  return !isNoFile && !Object.values(says).some((isSuch) => isSuch(name));
}

/** Whether a text is a URL that leads to another machine. */
export function isLink(text: string): boolean {
  return /^(?:https?|wss?|ftps?|ssh|git):\/\//i.test(text);
}

/** Whether a text is a path, by what it begins with, or by its slashes. */
export function isPathText(text: string): boolean {
  return (
    /^(?:\/|~|\.\.$|\.{1,2}[/\\]|[A-Za-z]:[/\\]|file:)[^\n]*$/.test(text) ||
    /^[^\s:<>][^\s:<>/]*\/[^\s<>]*$/.test(text) ||
    /(?:^|[/\\])\.clifford(?:[/\\]|$)/.test(text)
  );
}

/** Whether a field has a command, in a spelling or at a place where no command line is looked for. */
export function isOddCommand(name: string, level: number): boolean {
  const isOdd = level > 0 || plainName(name) !== name;
  return hasMeaning(name, 'otherCommand') || (isOdd && hasMeaning(name, 'command'));
}

/** A name of a file is no longer, in UTF-16 units. */
export const LONGEST_NAME = 4_096;

/**
 * The texts in a text that is JSON by itself, also in one that is JSON again, as far as they may be names of files: arguments in
 * place of a path. `undefined`: it is none.
 */
export function namesInJson(text: string): readonly string[] | undefined {
  const value = /^\s*[[{"]/.test(text) ? jsonValue(text) : undefined;
  if (value === undefined) return undefined;
  const texts = Array.from(textsIn(value), (each) => each.trim());
  return texts.flatMap((each) => [...(mayBeName(each) ? [each] : []), ...(namesInJson(each) ?? [])]);
}

/** Whether a text, without what stands around it, may be the name of a file. */
export function mayBeName(text: string): boolean {
  return text !== '' && text.length <= LONGEST_NAME && !text.includes('\n');
}

/** The texts in the fields with such names, each of which may hold one or a list. */
export function textsInFields(input: Fields, isSuch: (name: string) => boolean): string[] {
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
