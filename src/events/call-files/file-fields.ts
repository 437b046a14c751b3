import { isJsonObject } from '../../lib/json/json-object.ts';
import { says, textFields, type Fields } from './field-names.ts';
import type { Keys } from './said-change.ts';

/** An object of the arguments, and the files that it is about. */
export type FileFields = {
  readonly fields: Fields;
  /** The keys that lead to it. */
  readonly keys: Keys;
  /** The files that it is about: its own, or those of what stands around it. */
  readonly paths: readonly string[];
  /** It names them itself, or stands below its path. */
  readonly isOwn: boolean;
  /** It stands below its path: that is its own. */
  readonly isEntry?: boolean;
  /** What is said around it that becomes of them. */
  readonly kind?: string;
};

/** Whether an object says in full what becomes of one file. */
export function isFileChange(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const isKind = textFields(value, says.kind).some(([, word]) => /^(?:add|update)$/.test(word));
  const hasText = [says.whole, says.patch].some((isSuch) => textFields(value, isSuch).length > 0);
  return isKind && hasText;
}

/** What is said in a word of what becomes of the files of an object. */
export function kindWords({ fields, kind }: FileFields): readonly string[] {
  const inner = Object.entries(fields).flatMap(([name, value]) =>
    (says.kind(name) || name === '_meta') && isJsonObject(value) ? textFields(value, says.kind) : [],
  );
  const words = [...textFields(fields, says.kind), ...inner].map(([, word]) => word);
  return kind === undefined ? words : [...words, kind];
}

/** Whether a word says that a file is new. */
export function isNewWord(word: string): boolean {
  return /^(?:add|create)/i.test(word);
}

/** Whether it is said that the file of an object goes. */
export function isDeletion(one: FileFields): boolean {
  return kindWords(one).some((word) => /^(?:delete|remove|unlink)d?$/i.test(word));
}

/** Whether it says where in its file a text goes, in numbers: then it is not all of it. */
export function hasPlace(fields: Fields): boolean {
  return Object.keys(fields).some((name) =>
    /^(?:range|(?:start|end|insert)?_?line(?:_?number)?)$/i.test(name),
  );
}
