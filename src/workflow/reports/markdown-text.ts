import { cleanLine, withoutHidden } from '../../lib/text/hidden-characters.ts';

/** A code span, by CommonMark's rule (as many backticks at its end as at its beginning), or what begins a tag. */
const CODE_OR_TAG = /(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)|<(?=[a-z/!?])/gi;

/** What would begin another block at the start of a list item: heading, quotation, list, fence, link target. */
const BLOCK_START = /^(?=[#>|=+-]|`{3}|~{3}|\[[^\]]*\]:|[*_ ]+$)/;

/** Text as one line of a list. Its own emphasis, code and links stay; nothing in it reaches beyond it. */
export function listItem(text: string): string {
  return withoutTags(cleanLine(text))
    .replace(BLOCK_START, '\\')
    .replace(/^(\d+)([.)])(?=\s|$)/, String.raw`$1\$2`);
}

/** Text within a heading or between the stars of bold print: every character stands for itself. */
export function plainText(text: string): string {
  return cleanLine(text).replaceAll(/[\\`*_[\]<>#|~&]/g, String.raw`\$&`);
}

/** Several lines as a quotation: whatever begins in it, fences too, ends with it. */
export function quotation(text: string): string {
  const lines = withoutComments(withoutHidden(text).trim()).split('\n');
  return lines.map((line) => `> ${line}`.trimEnd()).join('\n');
}

/** Comments would hide what follows. */
function withoutComments(text: string): string {
  return text.replaceAll('<!--', '&lt;!--').replaceAll(/--(!?)>/g, '--$1&gt;');
}

/** Nor may a tag stay open beyond the text. What stands in code is shown as it is. */
function withoutTags(text: string): string {
  return withoutComments(text).replaceAll(CODE_OR_TAG, (found) => (found === '<' ? '&lt;' : found));
}
