import { commandField } from '../../events/call-fields.ts';
import type { Fields } from '../../events/call-files/field-names.ts';
import { filesInCall } from '../../events/call-files/files-in-call.ts';
import type { Keys, SaidText } from '../../events/call-files/said-change.ts';
import { isJsonObject } from '../../lib/json/json-object.ts';
import { showHeaped, showHidden } from '../../lib/text/hidden-characters.ts';
import { withinShown, type Around } from './each-once.ts';

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
  /** It takes the place of an old one in its file, which has more. */
  readonly isPart: boolean;
};

/** Where a text stands. */
type TextPlace = Around & { readonly keys: Keys };
/** What a call says of a file at one place. */
type Said = SaidText & { readonly path: string; readonly keys: Keys };

/**
 * The texts of a call that can be changed by themselves; none where all of its arguments have to be: where nobody knows which
 * of two texts counts, two fields have the same one, or there are characters that nobody would see.
 *
 * @param kind - Of a call of an agent's own tool. `undefined`: it is a server's.
 */
export function editedTexts(kind: string | undefined, args: unknown): readonly EditedText[] {
  if (!isJsonObject(args)) return [];
  const { changes, isTwofold, hasCopies, hasUnread } = filesInCall(args);
  const said = changes.flatMap((change): Said[] =>
    'now' in change && change.keys ? [{ ...change, keys: change.keys }] : [],
  );
  // A patch, or what goes, is changed with all of its arguments.
  if (isTwofold || hasCopies || hasUnread || said.length < changes.length) return [];
  if (said.length > 0) return textsOfFiles(said);
  const field = commandField(kind, args);
  const places = field ? [{ keys: [field.name], before: '', after: '' }] : [];
  return field ? editedText({ path: undefined, now: field.command }, places) : [];
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
function textsOfFiles(all: readonly Said[]): EditedText[] {
  // Of several names of one file any may count: the text is one.
  const texts = all.filter(({ keys }, at) => all.findIndex((each) => isAt(each.keys, keys)) === at);
  const [own] = texts.filter(({ keys }) => keys.length === 1);
  const lists = Map.groupBy(
    texts.filter(({ keys }) => keys.length > 1),
    ({ keys: [name] }) => name,
  );
  const [list, ...others] = lists.values();
  if (list === undefined) return own ? editedText(own, [placeOf(own)]) : [];
  const [only, ...rest] = list;
  if (own) {
    const shown = only && rest.length === 0 ? [only, ...others.flat()] : [];
    const places = shown.map((each) => placeWithin(own, each));
    const known = places.filter((place) => place !== undefined);
    if (known.length === 0 || known.length < places.length) return [];
    return editedText(own, [placeOf(own), ...known]);
  }
  if (others.length > 0) return [];
  return list.flatMap((said) => editedText(said, [placeOf(said)]));
}

function isAt(one: Keys, other: Keys): boolean {
  return one.length === other.length && one.every((key, at) => key === other[at]);
}

/** Where a text stands in what is shown of it; `undefined`: that shows something else. */
function placeWithin(said: Said, shown: Said): TextPlace | undefined {
  const around = withinShown(said, shown);
  return around && { keys: shown.keys, ...around };
}

function editedText(
  { path, now, old = '' }: { readonly path: string | undefined; readonly now: string; readonly old?: string },
  places: readonly TextPlace[],
): EditedText[] {
  const hasReturns = now.includes('\r\n') && !/(?<!\r)\n/.test(now);
  const text = hasReturns ? now.replaceAll('\r\n', '\n') : now;
  return showHeaped(showHidden(text)) === text
    ? [{ path, text, places, hasReturns, isPart: old !== '' }]
    : [];
}

function placeOf({ keys }: Said): TextPlace {
  return { keys, before: '', after: '' };
}

function withValue<T>(all: T, [key, ...rest]: Keys, value: string): T {
  if (key === undefined) return value as T;
  if (Array.isArray(all))
    return all.with(Number(key), withValue(all[Number(key)] as unknown, rest, value)) as T;
  return { ...all, [key]: withValue((all as Fields)[key], rest, value) };
}
