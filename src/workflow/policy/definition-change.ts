import { createTwoFilesPatch } from 'diff';
import { MAX_TEXT_LENGTH } from '../../events/field-schemas.ts';
import { keysInOrder } from '../../lib/json/json-value.ts';
import type { Definition } from './definition-store.ts';

/** Longer definitions, as indented JSON in UTF-16 units, are not compared: it could take minutes. */
const MAX_COMPARED = 200_000;
/** How long a comparison may take, in ms. */
const TIMEOUT_MS = 500;

/**
 * How the definition of a tool differs from the one that was known, for a human: a unified diff of both as
 * indented JSON, or why there is none. At most {@link MAX_TEXT_LENGTH} UTF-16 units.
 *
 * @param before - `undefined` when it was not kept.
 */
export function definitionChange(before: Definition | undefined, after: Definition): string {
  if (before === undefined) return 'It changed since it was known. What it was before has not been kept.';
  const [old, now] = [indented(before), indented(after)];
  if (old.length > MAX_COMPARED || now.length > MAX_COMPARED)
    return `It changed since it was known: ${old.length} characters became ${now.length}, too many to compare.`;
  const patch = createTwoFilesPatch('known', 'now', old, now, '', '', { context: 3, timeout: TIMEOUT_MS });
  if (patch === undefined) return 'It changed since it was known, too much to compare line by line.';
  const lines = patch
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('====='));
  const text = lines.join('\n');
  return text.length <= MAX_TEXT_LENGTH ? text : `${text.slice(0, MAX_TEXT_LENGTH - 2)}\n…`;
}

/** Keys in one order, so that only what changed is shown. */
function indented(definition: Definition): string {
  return `${JSON.stringify(definition, keysInOrder, 2)}\n`;
}
