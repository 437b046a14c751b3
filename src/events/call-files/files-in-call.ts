import { isJsonObject } from '../../lib/json/json-object.ts';
import {
  isDeletionWord,
  isFileUrl,
  isPathLike,
  isTag,
  mayHaveFields,
  pathKeys,
  pathOfUrl,
  says,
  textFields,
  textsInFields,
  textsOfField,
  type Fields,
} from './field-names.ts';
import { withoutShown } from './plain-name.ts';
import { EmptiedFiles } from './emptied-files.ts';
import { guessedIn } from './guessed-in-fields.ts';
import { isSaidAgain } from './known-fields.ts';
import type { SaidChange } from './said-change.ts';
import { spellingsOfPath } from './spellings-of-path.ts';
import { pathsInPatch } from './patch-heads.ts';
import { isDiffText, isPatchText, patchedFiles } from './patched-files.ts';
import { isPatch, patchChanges } from './patch-in-field.ts';
import { areOfSeveralFields, hasSeveral, textsIn, type FieldText } from './texts-of-fields.ts';
import { hasPlace, isDeletion, isFileChange, isNewWord, kindWords, type FileFields } from './file-fields.ts';

/** What a call says of files. */
export type FilesInCall = {
  /** Every file and folder that it names, wherever in it, as it says it. */
  readonly named: readonly string[];
  /** The same as paths: of a `file:` URL the one that it has. */
  readonly paths: readonly string[];
  readonly changes: readonly SaidChange[];
  /** It has several texts for one place: which of them counts nobody here knows. */
  readonly isTwofold: boolean;
  /** It has a new text in several fields for one place: it is changed in all of them, or not at all. */
  readonly hasCopies: boolean;
  /** It has a patch of which not all is understood, or not of which file it is, or says more than is looked at. */
  readonly hasUnread: boolean;
  /** Names of which only their place says that they are files. */
  readonly guessed: readonly string[];
  /** What it may name besides, as other programs read it. */
  readonly readings: readonly string[];
  /** The URLs in it that are of no file. */
  readonly links: readonly string[];
  /** It says of a file that it goes, of whichever. */
  readonly deletes: boolean;
};

/** The field of what an agent has said of files in a form that is none of the protocol's. */
export const UNREAD = 'unread';

/** How deep in the input files are looked for: some agents list them, each with what becomes of it. */
const MAX_LEVELS = 5;

/** One object says of so many files what becomes of them, and a call says so many changes: an agent could name each text a thousand times. */
const MOST_OWN = 8;
const MOST_CHANGES = 1_000;

/**
 * Which files a call with these arguments names, and what it says becomes of them: the one list, for whoever asks. A long edit
 * takes milliseconds: who needs it twice hands it on.
 */
export function filesInCall(args: unknown): FilesInCall {
  const fields = isJsonObject(args) ? args : {};
  const search = new Search();
  search.look(fields, { keys: [], paths: [], level: 0 });
  if (Object.keys(fields).some((name) => withoutShown(name) === UNREAD)) search.hasUnread = true;
  const named = [...new Set(search.named)];
  const { changes, isTwofold, hasCopies, hasUnread, guessed, links } = search;
  const readings = [
    ...search.readings,
    ...[...named, ...search.readings].flatMap(spellingsOfPath).map(pathOfUrl),
  ];
  const deletes = search.deletes || search.emptied.areAny || changes.some(({ is }) => is === 'delete');
  const paths = [...new Set(named.map(pathOfUrl))];
  return { named, paths, changes, isTwofold, hasCopies, hasUnread, guessed, readings, links, deletes };
}

/** Where in the arguments is looked. */
type Place = Omit<FileFields, 'fields' | 'isOwn'> & { readonly level: number };

class Search {
  readonly named: string[] = [];
  readonly links: string[] = [];
  readonly changes: SaidChange[] = [];
  readonly guessed: string[] = [];
  readonly readings: string[] = [];
  isTwofold = false;
  hasCopies = false;
  hasUnread = false;
  deletes = false;
  readonly emptied = new EmptiedFiles();

  look(fields: Fields, place: Place): void {
    const files = textFields(fields, says.file).map(([, text]) => text);
    const { file: urls = [], other = [] } = Object.groupBy(textsInFields(fields, says.url), (url) =>
      isFileUrl(url) ? 'file' : 'other',
    );
    for (const url of other) this.links.push(url);
    const guess = guessedIn(fields, isSaidAgain(place.keys[0]) ? 0 : place.level);
    for (const url of guess.links) this.links.push(url);
    for (const path of guess.readings) this.readings.push(path);
    if (guess.isUnread) this.hasUnread = true;
    for (const text of [...textsInFields(fields, says.path), ...urls]) this.named.push(text);
    const all = [...new Set([...files, ...urls].filter((text) => text !== '').map(pathOfUrl))];
    if (all.length > MOST_OWN) this.hasUnread = true;
    const own = all.slice(0, MOST_OWN);
    const paths = own.length > 0 ? own : place.paths;
    this.#take({ ...place, fields, paths, isOwn: own.length > 0 || place.isEntry === true });
    const below = { paths, level: place.level + 1 };
    for (const [name, value] of Object.entries(fields)) {
      if (!mayHaveFields(value)) continue;
      if (place.level >= MAX_LEVELS) {
        this.hasUnread = true;
        return;
      }
      const keys = [...place.keys, name];
      if (isJsonObject(value)) this.#lookInObject(name, value, { ...below, keys });
      else this.#lookInList(value, { ...below, keys });
    }
  }

  /** What stands in an object, which may be a map of files by their paths. */
  #lookInObject(name: string, value: Fields, place: Place): void {
    const { names, hasOthers } = pathKeys(name, value);
    if (hasOthers) this.hasUnread = true;
    if (names.length > 0) this.#lookByPath(value, names, place);
    // Of a map there is nothing besides.
    if (names.length < Object.keys(value).length) this.look(value, place);
  }

  /** What stands in a list, or in a list of it. */
  #lookInList(value: unknown, place: Place): void {
    if (!Array.isArray(value)) return;
    if (place.level > MAX_LEVELS) this.hasUnread = true;
    else
      value.forEach((each: unknown, at) => {
        const keys = [...place.keys, at];
        if (isJsonObject(each)) this.look(each, { ...place, keys });
        else if (Array.isArray(each)) {
          // What a text in it is, only its place says.
          if (each.some((inner) => typeof inner === 'string')) this.hasUnread = true;
          this.#lookInList(each, { ...place, keys, level: place.level + 1 });
        }
      });
  }

  /** What stands below the paths of files. */
  #lookByPath(map: Fields, names: readonly string[], { keys: above, paths: around, level }: Place): void {
    for (const name of names) {
      this.named.push(name);
      const isSure = isPathLike(name) || (around.length === 0 && isFileChange(map[name]));
      if (!isSure) this.guessed.push(name);
      const [keys, value] = [[...above, name], map[name]];
      const paths = [pathOfUrl(name)];
      const entries: readonly unknown[] = Array.isArray(value) ? value : [value];
      entries.forEach((entry, at) => {
        const place = { keys: Array.isArray(value) ? [...keys, at] : keys, paths, level, isEntry: true };
        if (typeof entry === 'string') this.#takeEntry(entry, place);
        else if (isJsonObject(entry)) this.#lookAtEntry(entry, place);
        // That it goes, to some.
        else this.hasUnread = true;
      });
    }
  }

  /** A text below the path of its file: all of it, or, nobody knows, a patch. */
  #takeEntry(text: string, { keys, paths }: Place): void {
    if (isPatchText(text) || isDiffText(text)) {
      this.#namePatched(text);
      this.hasUnread = true;
    }
    this.#takeTexts({ is: 'write', old: '', now: text, keys }, paths);
  }

  /** Some say what becomes of a file around what it is: `{ "update": { … } }`. */
  #lookAtEntry(entry: Fields, place: Place): void {
    const [only, ...others] = Object.entries(entry);
    const [kind, inner] = only ?? ['', undefined];
    const isTagged = others.length === 0 && isTag(kind);
    if (isTagged && isJsonObject(inner)) this.look(inner, { ...place, keys: [...place.keys, kind], kind });
    else this.look(entry, place);
  }

  /** What is said of the files that an object is about. */
  #take(one: FileFields): void {
    const { fields, paths, isOwn, keys } = one;
    const isNested = keys.length > 0;
    // A command may be a list of words, of which one is the patch.
    const patches = Object.entries(fields).flatMap(([name, value]) =>
      textsOfField(value).filter((text) => isPatch(name, text, isOwn)),
    );
    for (const patch of patches) this.#namePatched(patch);
    if (kindWords(one).some(isDeletionWord)) this.deletes = true;
    const moved = isOwn ? textsInFields(fields, says.move).map(pathOfUrl) : [];
    for (const path of moved) this.#add({ path, isNested, is: 'move' });
    const isGone = isOwn && isDeletion(one);
    const texts = isGone ? [] : textsIn(one);
    if (hasSeveral(texts)) this.isTwofold = true;
    if (areOfSeveralFields(texts)) this.hasCopies = true;
    const [said] = texts;
    const isPart = isOwn && isNested && !hasPlace(fields);
    if (said?.now === '' && (said.is === 'edit' ? said.old !== '' : !kindWords(one).some(isNewWord)))
      this.emptied.note(fields, { paths, text: said.old, isPart });
    // Which of both counts nobody here knows.
    if (patches.length > 0 && (isGone || said)) this.hasUnread = true;
    if (isGone) for (const path of paths) this.#add({ path, isNested, is: 'delete' });
    else if (said) this.#takeTexts(said, paths);
    else for (const patch of patches) this.#takePatch(patch, one);
  }

  #namePatched(patch: string): void {
    const { named, readings } = pathsInPatch(patch);
    for (const path of named) this.named.push(path);
    for (const path of readings) this.readings.push(path);
  }

  #takeTexts(said: FieldText, paths: readonly string[]): void {
    const isNested = said.keys.length > 1;
    for (const path of paths) this.#add({ ...said, path, isNested, patch: undefined, places: [] });
  }

  #add(change: SaidChange): void {
    if (this.changes.length < MOST_CHANGES) this.changes.push(change);
    else this.hasUnread = true;
  }

  #takePatch(patch: string, { paths, keys }: FileFields): void {
    const files = patchedFiles(patch, paths);
    if (!files || (paths.length === 0 && files.some(({ path }) => path === undefined))) this.hasUnread = true;
    const isNested = keys.length > 0;
    for (const file of files ?? []) {
      const { path, becomes } = file;
      if (becomes.is === 'edited' && becomes.isEmptied) this.deletes = true;
      for (const each of path === undefined ? paths : [path])
        for (const said of patchChanges(file, patch)) this.#add({ ...said, path: each, isNested });
      if (file.movedTo !== undefined) this.#add({ path: file.movedTo, isNested, is: 'move' });
    }
  }
}
