import { hiddenMark } from '../secrets/hidden-mark.ts';
import { says, textFields } from './field-names.ts';
import { hasPlace, kindWords, type FileFields } from './file-fields.ts';
import type { Keys, SaidText } from './said-change.ts';

/** A text that has a field of its own. */
export type FieldText = Pick<SaidText, 'is' | 'old' | 'now' | 'isDiff'> & { readonly keys: Keys };

/**
 * The new texts of an object, as its fields have them: first those of which it says that they are new, each in the place of every old
 * one, then those that are all of a file.
 */
export function textsIn(one: FileFields): readonly FieldText[] {
  const { fields, keys, isOwn } = one;
  const olds = textFields(fields, says.old).map(([, old]) => old);
  const news = textFields(fields, says.new).flatMap(([name, now]): FieldText[] => {
    const said = { now, keys: [...keys, name], ...(isShownDiff(one, name) && { isDiff: true }) };
    const isWhole = says.newWhole(name) && !hasPlace(fields);
    if (olds.length === 0) return [{ ...said, is: isWhole ? 'write' : 'insert', old: '' }];
    return olds.map((old) => ({ ...said, is: 'edit', old }));
  });
  const wholes = isOwn ? textFields(fields, says.whole) : [];
  return [
    ...news,
    ...wholes.map(([name, now]): FieldText => ({ is: 'write', old: '', now, keys: [...keys, name] })),
  ];
}

/** Whether these say several things: which of them counts nobody here knows. What stands for a secret may stand for two. */
export function hasSeveral([first, ...others]: readonly FieldText[]): boolean {
  return others.some(
    ({ is, old, now }) =>
      is !== first?.is || old !== first.old || now !== first.now || hiddenMark.test(old + now),
  );
}

/** Whether one of these is a text of another field than the others. */
export function areOfSeveralFields(texts: readonly FieldText[]): boolean {
  return texts.some(({ keys }) => keys.at(-1) !== texts[0]?.keys.at(-1));
}

/** Whether a text stands beside others of its file as agents show a difference: it may be a part of the file, or all of it. */
function isShownDiff(one: FileFields, newName: string): boolean {
  const isNested = one.keys.length > 0;
  const isUntyped = isNested && one.isOwn && says.newWhole(newName) && !hasPlace(one.fields);
  return isUntyped || kindWords(one).some((word) => /^diff$/i.test(word));
}
