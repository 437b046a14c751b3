import MarkdownIt, { type Token } from 'markdown-it';

const parser = new MarkdownIt({ html: false });

/** Markdown in one line, as it reads: without its marks. Where a link leads stays. */
export function plainMarkdown(markdown: string): string {
  let isItem = false;
  const parts = parser.parse(markdown, {}).flatMap(({ type, content, children }) => {
    if (type === 'list_item_open') isItem = true;
    if (type === 'fence' || type === 'code_block') return [content];
    if (type !== 'inline') return [];
    const text = inlineText(children ?? []);
    const mark = isItem ? '• ' : '';
    isItem = false;
    return text === '' ? [] : [mark + text];
  });
  return parts.join(' ').replaceAll(/\s+/g, ' ').trim();
}

function inlineText(tokens: readonly Token[]): string {
  const links: { readonly href: string; readonly from: number }[] = [];
  let text = '';
  for (const token of tokens) {
    const { type, content } = token;
    if (type === 'softbreak' || type === 'hardbreak') text += ' ';
    else if (type === 'image') text += `[image: ${content}] (${attribute(token, 'src')})`;
    else if (type === 'link_open') links.push({ href: attribute(token, 'href'), from: text.length });
    else if (type === 'link_close') {
      const { href, from } = links.pop() ?? { href: '', from: 0 };
      // Where it leads is what matters, and what a text may say wrongly.
      if (text.slice(from) !== href) text += ` (${href})`;
    } else text += content;
  }
  return text;
}

function attribute({ attrs }: Token, name: string): string {
  return `${attrs?.find(([key]) => key === name)?.[1] ?? ''}`;
}
