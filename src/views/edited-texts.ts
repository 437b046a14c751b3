import { commandField } from '../events/call-fields.ts';
import { isJsonObject } from '../lib/json/json-object.ts';
import { showHeaped, showHidden } from '../lib/text/hidden-characters.ts';
import { listNames, newNames, oldNames, pathNames, wholeNames } from './call-changes.ts';

/** A text of a call that a person changes by itself: what it would put into a file, or its command. */
export type EditedText = {
  /** Of the file, as the call names it; `undefined`: it is the command. */
  readonly path: string | undefined;
  /** Its lines end with `\n`, whatever they end with in the call. */
  readonly text: string;
  /** Where it stands in the arguments: the keys that lead there, and what stands around it. */
  readonly places: readonly TextPlace[];
  /** Its lines end with `\r\n` in the call. */
  readonly hasReturns: boolean;
};

/** Where a text stands. */
type TextPlace = { readonly keys: Keys; readonly before: string; readonly after: string };
type Keys = readonly (string | number)[];
type Fields = Readonly<Record<string, unknown>>;

/** What a call says of a file at one place. `old`: what stood there before. */
type Said = { readonly path: string; readonly keys: Keys; readonly old: string; readonly now: string };

/**
 * The texts of a call that can be changed by themselves; none where all of its arguments have to be: where nobody knows which
 * of two texts counts, or there are characters that nobody would see.
 *
 * @param kind - Of a call of an agent's own tool. `undefined`: it is a server's.
 */
export function editedTexts(kind: string | undefined, args: unknown): readonly EditedText[] {
  if (!isJsonObject(args) || isTwofold(args)) return [];
  const path = textOf(args, pathNames);
  const own = editIn(args, path, []) ?? writeIn(args, path);
  const lists = listNames.flatMap((name) => {
    const found = listIn(args, name).flatMap((each, at) =>
      isJsonObject(each) ? (editIn(each, path, [name, at]) ?? []) : [],
    );
    return found.length > 0 ? [found] : [];
  });
  if (own || lists.length > 0) return textsOfFiles(own, lists);
  const field = commandField(kind, args);
  return field ? editedText(undefined, field.command, [{ keys: [field.name], before: '', after: '' }]) : [];
}

/** The same arguments with another text in its place. */
export function withEditedText(args: Fields, { places, hasReturns }: EditedText, text: string): Fields {
  const written = hasReturns ? text.replaceAll('\n', '\r\n') : text;
  return places.reduce(
    (all, { keys, before, after }) => withValue(all, keys, before + written + after),
    args,
  );
}

/** Some agents say the same in their input, and in what they show: it is changed in both. */
function textsOfFiles(own: Said | undefined, [list, ...others]: readonly (readonly Said[])[]): EditedText[] {
  if (list === undefined) return own ? editedText(own.path, own.now, [placeOf(own)]) : [];
  const [only, ...rest] = list;
  if (own) {
    const all = only && rest.length === 0 ? [only, ...others.flat()] : [];
    const places = all.map((shown) => placeWithin(own, shown));
    const known = places.filter((place) => place !== undefined);
    if (known.length === 0 || known.length < places.length) return [];
    return editedText(own.path, own.now, [placeOf(own), ...known]);
  }
  if (others.length > 0) return [];
  return list.flatMap((said) => editedText(said.path, said.now, [placeOf(said)]));
}

/** Where a text stands in what is shown of it, which may be more of its file; `undefined`: that shows something else. */
function placeWithin({ old, now }: Said, shown: Said): TextPlace | undefined {
  if (now === shown.now) return placeOf(shown);
  for (let at = shown.old.indexOf(old); old !== '' && at >= 0; at = shown.old.indexOf(old, at + 1)) {
    const [before, after] = [shown.old.slice(0, at), shown.old.slice(at + old.length)];
    if (before + now + after === shown.now) return { keys: shown.keys, before, after };
  }
  return undefined;
}

function editedText(path: string | undefined, written: string, places: readonly TextPlace[]): EditedText[] {
  const hasReturns = written.includes('\r\n') && !/(?<!\r)\n/.test(written);
  const text = hasReturns ? written.replaceAll('\r\n', '\n') : written;
  return showHeaped(showHidden(text)) === text ? [{ path, text, places, hasReturns }] : [];
}

function placeOf({ keys }: Said): TextPlace {
  return { keys, before: '', after: '' };
}

function editIn(fields: Fields, elsewhere: string | undefined, at: Keys): Said | undefined {
  const path = textOf(fields, pathNames) ?? elsewhere;
  return path === undefined ? undefined : saidIn(fields, newNames, { path, at });
}

function writeIn(fields: Fields, path: string | undefined): Said | undefined {
  return path === undefined ? undefined : saidIn(fields, wholeNames, { path, at: [] });
}

function saidIn(
  fields: Fields,
  names: readonly string[],
  { path, at }: { readonly path: string; readonly at: Keys },
): Said | undefined {
  const name = nameIn(fields, names);
  if (name === undefined) return undefined;
  return {
    path,
    keys: [...at, name],
    old: textOf(fields, oldNames) ?? '',
    now: textOf(fields, [name]) ?? '',
  };
}

function textOf(fields: Fields, names: readonly string[]): string | undefined {
  const value = fields[nameIn(fields, names) ?? ''];
  return typeof value === 'string' ? value : undefined;
}

/** Whether a new text stands there by several names: one of them would run as it is. */
function isTwofold(args: Fields): boolean {
  const listed = listNames.flatMap((name) => listIn(args, name)).filter(isJsonObject);
  const texts = (fields: Fields, names: readonly string[]) =>
    names.filter((name) => Object.hasOwn(fields, name) && typeof fields[name] === 'string');
  return (
    [args, ...listed].some((fields) => texts(fields, newNames).length > 1) ||
    texts(args, wholeNames).length > 1
  );
}

/** The first of these names that has a text. */
function nameIn(fields: Fields, names: readonly string[]): string | undefined {
  return names.find((name) => Object.hasOwn(fields, name) && typeof fields[name] === 'string');
}

function listIn(fields: Fields, name: string): readonly unknown[] {
  const list = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return Array.isArray(list) ? list : [];
}

function withValue<T>(all: T, [key, ...rest]: Keys, value: string): T {
  if (key === undefined) return value as T;
  if (Array.isArray(all))
    return all.with(Number(key), withValue(all[Number(key)] as unknown, rest, value)) as T;
  return { ...all, [key]: withValue((all as Fields)[key], rest, value) };
}
