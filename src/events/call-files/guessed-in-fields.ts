import {
  hasLists,
  isLink,
  isOddCommand,
  isPathText,
  isUnknownName,
  mayHaveFields,
  namesInJson,
  pathOfUrl,
  says,
  saysOfCommands,
  textsOfField,
  type Fields,
} from './field-names.ts';
import { mayNameFiles } from './field-table.ts';
import { isPlacePattern } from './place-patterns.ts';

/** What the fields of an object may name besides. */
export type GuessedInFields = {
  readonly links: readonly string[];
  readonly readings: readonly string[];
  /** Some of them may say more than is looked at. */
  readonly isUnread: boolean;
};

/**
 * What fields may name whose names do not say it, or whose values have a form of their own. `level`: how deep in the arguments
 * they stand, 0 for the arguments themselves.
 */
export function guessedIn(fields: Fields, level: number): GuessedInFields {
  const links: string[] = [];
  const readings: string[] = [];
  let isUnread = false;
  for (const [name, value] of Object.entries(fields)) {
    const texts = textsOfField(value);
    const mayName = mayNameFiles(name);
    const isUnknown = isUnknownName(name);
    isUnread ||=
      ((mayName || says.path(name)) && hasLists(value)) ||
      (says.patch(name) && mayHaveFields(value)) ||
      (texts.length > 0 && isOddCommand(name, level));
    const mayBeJson =
      isUnknown || mayName || says.path(name) || (saysOfCommands.arguments(name) && !Array.isArray(value));
    for (const names of mayBeJson ? texts.map(namesInJson) : []) {
      isUnread ||= names !== undefined;
      for (const each of names ?? []) readings.push(pathOfUrl(each));
    }
    for (const text of texts) {
      if (isUnknown && isLink(text)) links.push(text);
      else if (isUnknown ? mayName || isPathText(text) : isPlacePattern(name, text, fields))
        readings.push(pathOfUrl(text));
    }
  }
  return { links, readings, isUnread };
}
