import type { default as MarkdownIt, Token } from 'markdown-it';

type Parser = InstanceType<typeof MarkdownIt>;

/** What stands in front of a point of a list that can be ticked off, as GitHub writes it. */
const BOX = /^\[([ xX])\]\s/;

const ATTRIBUTE = 'ticked';

/** Has a parser take `- [ ]` and `- [x]` for points that are ticked off, or not yet: {@link isTicked} says which. */
export function withCheckBoxes(parser: Parser): Parser {
  parser.core.ruler.push('check-boxes', ({ tokens }) => {
    for (const [at, token] of tokens.entries()) {
      const item = tokens[at - 2];
      if (token.type !== 'inline' || item?.type !== 'list_item_open') continue;
      const [first] = token.children ?? [];
      const [box, sign] = (first?.type === 'text' && BOX.exec(first.content)) || [];
      if (!first || box === undefined) continue;
      first.content = first.content.slice(box.length);
      item.attrSet(ATTRIBUTE, String(sign !== ' '));
    }
  });
  return parser;
}

/** Whether a point of a list is ticked off; `undefined`: it cannot be, or is none. */
export function isTicked(item: Token): boolean | undefined {
  const ticked = item.attrGet(ATTRIBUTE);
  return ticked === null ? undefined : ticked === 'true';
}

/** The signs of both, for where there are only characters. */
export function boxSign(ticked: boolean): string {
  return ticked ? '☑' : '☐';
}
