import type { Token } from 'markdown-it';
import { stripAgentText } from '../../lib/text/sanitise.ts';
import type { Span } from './spans.ts';

const inner: Readonly<Record<string, Span['style']>> = {
  strong_open: 'bold',
  em_open: 'italic',
  s_open: 'dim',
};

/** What stands in a paragraph, one list of spans for each line; with `keepsBreaks`, each line that was typed is one. */
export function inlineLines(tokens: readonly Token[], style: Span['style'], keepsBreaks = false): Span[][] {
  const lines: Span[][] = [[]];
  const open: Span['style'][] = [style];
  const links: string[] = [];
  let linked = '';
  const put = (text: string, how: Span['style'] = open.at(-1) ?? style) => {
    // References to characters were resolved: what they stand for is not safe to print, either.
    const shown = stripAgentText(text).replaceAll('\n', ' ');
    linked += shown;
    if (shown !== '') lines.at(-1)?.push({ text: shown, style: how });
  };
  for (const token of tokens) {
    const { type, content } = token;
    if (type === 'text') put(content);
    else if (type === 'code_inline') put(content, 'code');
    else if (type === 'hardbreak' || (type === 'softbreak' && keepsBreaks)) lines.push([]);
    else if (type === 'softbreak') put(' ');
    else if (type === 'image') put(`[image: ${content}] (${token.attrGet('src') ?? ''})`);
    else if (type === 'link_open') {
      links.push(`${token.attrGet('href') ?? ''}`);
      linked = '';
    } else if (type === 'link_close') {
      const href = links.pop() ?? '';
      // Where it leads is what matters, and what a text may say wrongly.
      if (linked !== href) put(` (${href})`, 'dim');
    } else if (token.nesting === 1) open.push(inner[type] ?? open.at(-1) ?? style);
    else if (token.nesting === -1) open.pop();
    else put(content);
  }
  return lines;
}
