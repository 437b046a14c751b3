import MarkdownIt, { type Token } from 'markdown-it';
import { stripAgentText } from '../../lib/text/sanitise.ts';
import { boxSign, isTicked, withCheckBoxes } from '../../views/text/check-boxes.ts';
import { withDeepText } from '../../views/text/deep-text.ts';
import { isDiff } from '../../views/changes/unified-lines.ts';
import { unifiedSpans } from './change-lines.ts';
import { inlineLines } from './markdown-inline.ts';
import { tableLines } from './markdown-table.ts';
import type { Span, SpanLine } from './spans.ts';
import { cellsOf } from '../../lib/text/cells.ts';

/** Longest text that is taken apart, in UTF-16 units. */
const MOST_CHARACTERS = 100_000;

const parser = withDeepText(withCheckBoxes(new MarkdownIt({ html: false })));

/** Settings in front of a text, as some site generators keep them. */
const FRONT_MATTER = /^---[ \t]*\n([^]*?)\n---[ \t]*(?:\n|$)/;

/**
 * Markdown as lines for reading, without anything that could move the cursor, hide or reorder text.
 *
 * @param options.keepsBreaks - Each line break of a paragraph is one.
 */
export function markdownLines(markdown: string, { keepsBreaks = false } = {}): SpanLine[] {
  const text = stripAgentText(markdown).trimEnd();
  if (text.length > MOST_CHARACTERS)
    return text.split('\n').map((line) => asRead([{ text: line, style: 'plain' }]));
  const [front = '', settings = ''] = FRONT_MATTER.exec(text) ?? [];
  const writer = new Writer(keepsBreaks);
  for (const line of settings.split('\n')) if (settings !== '') writer.write([{ text: line, style: 'dim' }]);
  const tokens = parser.parse(text.slice(front.length), {});
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token?.type === 'table_open') {
      let end = at + 1;
      while (end < tokens.length - 1 && tokens[end]?.type !== 'table_close') end += 1;
      writer.gap();
      for (const { spans, ...look } of tableLines(tokens.slice(at, end))) writer.write(spans, look);
      at = end;
    } else if (token) block(writer, token, tokens[at - 1]);
  }
  return writer.lines;
}

/** Whether a line stands between two blocks: nothing is in it, but for the bars of a quotation. */
export function isGap({ spans }: SpanLine): boolean {
  return spans.every(({ text }) => ONLY_BARS.test(text));
}

const ONLY_BARS = /^[│ ]*$/;

/** Writes a block, or goes into one or out of it. */
function block(writer: Writer, token: Token, before: Token | undefined): void {
  switch (token.type) {
    case 'inline': {
      const style = before?.type === 'heading_open' ? headingStyle(before) : 'plain';
      for (const spans of inlineLines(token.children ?? [], style, writer.keepsBreaks)) writer.write(spans);
      return;
    }
    case 'heading_open':
    case 'paragraph_open':
      if (!token.hidden) writer.gap();
      return;
    case 'fence':
    case 'code_block':
      writer.gap();
      if (isDiff(token.info)) {
        for (const { spans, fill } of unifiedSpans(token.content.replace(/\n$/, '')))
          writer.write([{ text: '  ', style: 'plain' }, ...spans], { isCode: true, fill });
        return;
      }
      for (const text of token.content.replace(/\n$/, '').split('\n'))
        writer.write([{ text: `  ${text}`, style: 'code' }], { isCode: true });
      return;
    case 'hr':
      writer.gap();
      writer.write([{ text: '─'.repeat(RULE_WIDTH), style: 'dim' }]);
      return;
    case 'bullet_list_open':
    case 'ordered_list_open':
      if (writer.depth === 0) writer.gap();
      return;
    case 'list_item_open':
      writer.enter({ first: markOf(token) });
      return;
    case 'blockquote_open':
      writer.gap();
      writer.enter({ first: '│ ', rest: '│ ' });
      return;
    case 'list_item_close':
    case 'blockquote_close':
      writer.leave();
      return;
  }
}

/** One row also in a narrow pane, quoted a few times. */
const RULE_WIDTH = 8;

/** What stands in front of a point of a list: its number, a box, or both. */
function markOf(item: Token): string {
  const ticked = isTicked(item);
  const isNumbered = item.markup === '.' || item.markup === ')';
  const number = isNumbered ? `${item.info}${item.markup} ` : '';
  if (ticked !== undefined) return `${number}${boxSign(ticked)} `;
  return isNumbered ? number : '• ';
}

function headingStyle({ tag }: Token): Span['style'] {
  return tag === 'h1' || tag === 'h2' ? 'heading' : 'bold';
}

/** What stands before the lines of a block: of a list's item its mark, then blanks. */
type Before = { first: string; rest?: string };

/** Lines behind one another, inside of the blocks that are open. */
class Writer {
  readonly lines: SpanLine[] = [];
  readonly keepsBreaks: boolean;
  readonly #open: (Before & { isBegun: boolean })[] = [];
  /** The last line is one between two blocks, or there is none. */
  #isApart = true;

  constructor(keepsBreaks: boolean) {
    this.keepsBreaks = keepsBreaks;
  }

  get depth(): number {
    return this.#open.length;
  }

  enter(before: Before): void {
    this.#open.push({ ...before, isBegun: false });
  }

  leave(): void {
    this.#open.pop();
  }

  /** A blank line, but for the bars of quotations that go on; unless there is one, or a block begins. */
  gap(): void {
    const next = this.#open.findIndex((each) => !each.isBegun);
    if (this.#isApart || (next !== -1 && this.depth > 1)) return;
    const begun = next === -1 ? this.#open : this.#open.slice(0, next);
    const bars = begun.map(marksOf).join('').trimEnd();
    this.lines.push({ spans: bars === '' ? [] : [{ text: bars, style: 'dim' }] });
    this.#isApart = true;
  }

  write(
    spans: readonly Span[],
    { isCode = false, ...look }: { isCode?: boolean } & Pick<SpanLine, 'fill' | 'columns' | 'isBelow'> = {},
  ): void {
    const before = this.#open.map((each) => (each.isBegun ? marksOf(each) : each.first)).join('');
    for (const each of this.#open) each.isBegun = true;
    const all = before === '' ? spans : [{ text: before, style: 'dim' } as const, ...spans];
    const marks = this.#open.map(marksOf).join('');
    // Code is broken where a row ends, and marked there.
    const line = isCode ? { spans: all, hang: cellsOf(before) } : asRead(all, cellsOf(before));
    this.lines.push({ ...line, ...(marks.trim() === '' ? {} : { marks }), ...look });
    this.#isApart = false;
  }
}

/** What stands before all lines of a block but its first. */
function marksOf({ first, rest }: Before): string {
  return rest ?? ' '.repeat(cellsOf(first));
}

function asRead(spans: readonly Span[], hang = 0): SpanLine {
  return { spans, hang, breaks: 'words' };
}
