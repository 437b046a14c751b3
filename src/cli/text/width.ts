const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
/** Emoji, and the blocks East Asian terminals draw two columns wide. */
const wide =
  /\p{Emoji_Presentation}|\uFE0F|[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}]/u;

/** Columns a terminal needs for a text without control characters. */
export function widthOf(text: string): number {
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += wide.test(segment) ? 2 : 1;
  return width;
}

/** The text, cut with `…` where it needs more than `columns`. */
export function fit(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let cut = '';
  let width = 1;
  for (const { segment } of graphemes.segment(text)) {
    width += wide.test(segment) ? 2 : 1;
    if (width > columns) break;
    cut += segment;
  }
  return `${cut}…`;
}
