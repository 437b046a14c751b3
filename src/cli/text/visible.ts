/**
 * Text of others, safe to print: what could move the cursor, hide or reorder text becomes visible,
 * `\x1b` or `\u202e`. Newlines and tabs stay.
 */
export function visible(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]|[\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/gu, (char) => {
    const hex = (char.codePointAt(0) ?? 0).toString(16);
    return hex.length > 2 ? `\\u${hex.padStart(4, '0')}` : `\\x${hex.padStart(2, '0')}`;
  });
}

/** The same on one line: every run of white space is one space. */
export function oneLine(text: string): string {
  return visible(text.trim().replaceAll(/\s+/g, ' '));
}
