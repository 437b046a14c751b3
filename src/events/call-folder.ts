import { isJsonObject } from '../lib/json/json-object.ts';
import { bareField } from './bare-input.ts';
import { textsOfField, type Fields } from './call-files/field-names.ts';
import { hasMeaning } from './call-files/field-table.ts';
import { withoutShown } from './call-files/plain-name.ts';

/** In which folder a call starts, as far as it says. */
export type StartingFolder = {
  /** As it says it. `undefined`: it does not say. */
  readonly folder: string | undefined;
  /** The others in which it may start, by what it says. */
  readonly others: readonly string[];
  /** The field for which nobody knows where it starts. */
  readonly notKnown: string | undefined;
};

/**
 * In which folder a call starts. That of a command may stand in any field that is called so: where two say different folders,
 * or one is no plain path, nobody knows which its agent goes by.
 */
export function startingFolder(isCommand: boolean, input: Fields): StartingFolder {
  const told = Object.entries(input).filter(
    ([name, value]) =>
      // Not what Clifford has put beside a field of the agent's own.
      withoutShown(name) === name &&
      hasMeaning(name, isCommand ? 'folder' : 'cwd') &&
      !(value === undefined || value === null || value === false || value === ''),
  );
  const [folder, ...others] = new Set(told.flatMap(([, value]) => textsOfField(value)));
  const odd = told.find(([, value]) => !isPlainFolder(value));
  const differs = told.find(([, value]) => folder !== undefined && !isSame(value, folder));
  const shown = isCommand && bareField(input) === 'title' ? shownFolders(input) : [];
  const areShownClear = shown.length <= 1 && shown.every(isPlainFolder);
  const notKnown = areShownClear ? (odd ?? differs)?.[0] : 'content';
  const [first, ...rest] = [...(folder === undefined ? [] : [folder]), ...others, ...shown];
  return { folder: first, others: rest, notKnown };
}

/**
 * The folders that a call without an input shows beside its command: one of the agents names its folder there, and nowhere
 * else. Not in the title: that is the command, in which anything may stand behind a `#`.
 */
function shownFolders({ content }: Fields): readonly string[] {
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  const texts = parts.flatMap((part) =>
    isJsonObject(part) && isJsonObject(part['content']) ? textsOfField(part['content']['text']) : [],
  );
  const named = texts.flatMap((text) =>
    Array.from(
      text.matchAll(/\[(?:in|current working directory) ([^\]\n]+)\]/g),
      ([, folder = '']) => folder,
    ),
  );
  return [...new Set(named)];
}

/** Whether a value is a path that every program reads as the same folder. */
function isPlainFolder(value: unknown): boolean {
  return typeof value === 'string' && /^(?!~)[^\p{Cc}$`*?%:]+$/u.test(value) && value.trim() === value;
}

function isSame(value: unknown, folder: string): boolean {
  const plain = (path: string) => path.replaceAll(/\/(?:\.?\/)+/g, '/').replace(/(?<=.)\/\.?$/, '');
  return typeof value === 'string' && plain(value) === plain(folder);
}
