import MarkdownIt, { type Token } from 'markdown-it';
import { boxSign, isTicked, withCheckBoxes } from './check-boxes.ts';
import { withDeepText } from './deep-text.ts';

const parser = withDeepText(withCheckBoxes(new MarkdownIt({ html: false })));

type Options = {
  /** Without them `…` stands for code of several lines: in one they say nothing. */
  readonly hasBlocks?: boolean;
};

/** Markdown in one line, as it reads: without its marks. Where a link leads stays. */
export function plainMarkdown(markdown: string, options: Options = {}): string {
  return blocksOf(markdown, options).flat().join(' ').replaceAll(/\s+/g, ' ').trim();
}

/** The same of what is a line by itself, such as a title, in which no block begins. */
export function plainMarkdownLine(markdown: string): string {
  const text = parser.parseInline(markdown, {}).map(({ children }) => inlineText(children ?? []));
  return text.join('').replaceAll(/\s+/g, ' ').trim();
}

/** The same on lines of its own: its paragraphs, the items of its lists, the rows of its tables, the lines of its code. */
export function plainMarkdownLines(markdown: string): string {
  return blocksOf(markdown)
    .map((parts) => parts.join('\n'))
    .filter((block) => block !== '')
    .join('\n\n');
}

/** Of each of its blocks the parts. */
function blocksOf(markdown: string, { hasBlocks = true }: Options = {}): string[][] {
  let mark = '';
  /** The cells of a table's row so far. */
  let row: string[] | undefined;
  const blocks: string[][] = [];
  for (const token of parser.parse(markdown, {})) {
    const { type, content, children, level, nesting } = token;
    if (level === 0 && nesting >= 0) blocks.push([]);
    if (type === 'list_item_open') mark = `${markOf(token)} `;
    const parts = blocks.at(-1);
    if (type === 'fence' || type === 'code_block')
      parts?.push(hasBlocks || !content.trim().includes('\n') ? content.trimEnd() : '…');
    if (type === 'tr_open') row = [];
    if (type === 'inline') row?.push(inlineText(children ?? []));
    if (row ? type !== 'tr_close' : type !== 'inline') continue;
    const isEmpty = row?.every((cell) => cell === '');
    const text = isEmpty ? '' : (row?.join(' | ').trimEnd() ?? inlineText(children ?? []));
    row = undefined;
    if (text !== '') parts?.push(mark + text);
    mark = '';
  }
  return blocks;
}

function markOf(item: Token): string {
  const ticked = isTicked(item);
  if (ticked !== undefined) return boxSign(ticked);
  return item.info === '' ? '•' : `${item.info}${item.markup}`;
}

function inlineText(tokens: readonly Token[]): string {
  const links: { readonly href: string; readonly from: number }[] = [];
  let text = '';
  for (const token of tokens) {
    const { type, content } = token;
    if (type === 'softbreak' || type === 'hardbreak') text += '\n';
    else if (type === 'image') text += `[image: ${content}] (${token.attrGet('src') ?? ''})`;
    else if (type === 'link_open') links.push({ href: `${token.attrGet('href') ?? ''}`, from: text.length });
    else if (type === 'link_close') {
      const { href, from } = links.pop() ?? { href: '', from: 0 };
      // Where it leads is what matters, and what a text may say wrongly.
      if (text.slice(from) !== href) text += ` (${href})`;
    } else text += content;
  }
  return text;
}
