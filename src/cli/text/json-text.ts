/** Characters that reorder text or cannot be seen, but those that JSON escapes anyhow. */
const hidden = /[\u007f-\u009f\u2028\u2029\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** A value as JSON for programs that is safe on a terminal, too: what could hide or reorder text is escaped. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(hidden, (character) =>
    Array.from({ length: character.length }, (_, at) => escaped(character.charCodeAt(at))).join(''),
  );
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
