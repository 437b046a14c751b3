import MarkdownIt, { type Token } from 'markdown-it';
import { boxSign, isTicked, withCheckBoxes } from './check-boxes.ts';

const parser = withCheckBoxes(new MarkdownIt({ html: false }));

/**
 * Markdown in one line, as it reads: without its marks. Where a link leads stays.
 *
 * @param options.hasBlocks - Without them `…` stands for code of several lines: in one they say nothing.
 */
export function plainMarkdown(markdown: string, { hasBlocks = true } = {}): string {
  let mark = '';
  const parts = parser.parse(markdown, {}).flatMap((token) => {
    const { type, content, children } = token;
    if (type === 'list_item_open') mark = `${markOf(token)} `;
    if (type === 'fence' || type === 'code_block')
      return [hasBlocks || !content.trim().includes('\n') ? content : '…'];
    if (type !== 'inline') return [];
    const text = inlineText(children ?? []);
    const marked = mark + text;
    mark = '';
    return text === '' ? [] : [marked];
  });
  return parts.join(' ').replaceAll(/\s+/g, ' ').trim();
}

function markOf(item: Token): string {
  const ticked = isTicked(item);
  return ticked === undefined ? '•' : boxSign(ticked);
}

function inlineText(tokens: readonly Token[]): string {
  const links: { readonly href: string; readonly from: number }[] = [];
  let text = '';
  for (const token of tokens) {
    const { type, content } = token;
    if (type === 'softbreak' || type === 'hardbreak') text += ' ';
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
