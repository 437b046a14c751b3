/** What a pass over a Markdown text meets. `from` and `to` are offsets: its first line, behind its last one. */
export type MarkdownPart =
  | {
      readonly is: 'heading';
      readonly level: 1 | 2;
      readonly title: string;
      readonly from: number;
      readonly to: number;
    }
  /** `line` is the one on which it begins. */
  | { readonly is: 'comment'; readonly line: string; readonly from: number; readonly to: number }
  /** From here on the text is a comment or code that is never closed. */
  | { readonly is: 'unclosed'; readonly from: number };

const HEADING = /^ {0,3}(##?)(?:[ \t]+(?![ \t])(.*))?$/;
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/;
const FENCE = /^ {0,3}(`{3,}(?!`)(?!.*`)|~{3,})/;
const COMMENT = /^ {0,3}<!--/;

/** What a line that matters begins with. */
const BEGINNINGS = '#<`~ =-';

/** Most characters of a line that are looked at: headings and markers are shorter. */
const LOOK = 1_024;

/**
 * The headings of the first two levels and the comments of a text, in one pass over its lines. What
 * stands in comments and fenced code is neither.
 */
export function* markdownStructure(text: string, start: number): Generator<MarkdownPart, void> {
  let fence: { mark: string; from: number } | undefined;
  let before = start;
  for (let from = afterFrontMatter(text, start), to = from; from < text.length; before = from, from = to) {
    to = lineEnd(text, from);
    if (!BEGINNINGS.includes(text.charAt(from))) continue;
    const line = lineAt(text, from, to);
    if (fence) {
      if (closes(line, fence.mark)) fence = undefined;
      continue;
    }
    const [, mark] = FENCE.exec(line) ?? [];
    if (mark !== undefined) {
      fence = { mark, from };
    } else if (COMMENT.test(line)) {
      const close = text.indexOf('-->', text.indexOf('<!--', from) + 2);
      if (close < 0) return yield { is: 'unclosed', from };
      to = lineEnd(text, close);
      yield { is: 'comment', line, from, to };
    } else {
      const [, marks, title = ''] = HEADING.exec(line) ?? [];
      if (marks !== undefined) yield { is: 'heading', level: marks === '#' ? 1 : 2, title, from, to };
      else if (UNDERLINE.test(line) && isTitle(text, before, from, start)) {
        const level = line.includes('=') ? 1 : 2;
        yield { is: 'heading', level, title: lineAt(text, before, from).trim(), from: before, to };
      }
    }
  }
  if (fence) yield { is: 'unclosed', from: fence.from };
}

/** The offset behind a line and its line break. */
export function lineEnd(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  return at < 0 ? text.length : at + 1;
}

/** The beginning of a line, without its line break. */
export function lineAt(text: string, from: number, to: number): string {
  return text.slice(from, Math.min(to, from + LOOK)).replace(/\r?\n$/, '');
}

/** A line that an underline makes a heading: words, with nothing right above them. */
function isTitle(text: string, from: number, to: number, start: number): boolean {
  if (!/^ {0,3}[\p{L}\p{N}[(]/u.test(lineAt(text, from, to))) return false;
  return from === start || endsBlank(text, start, from);
}

/** Whether the text from `start` to `to` ends with a blank line. */
export function endsBlank(text: string, start: number, to: number): boolean {
  if (text[to - 1] !== '\n') return false;
  let at = text[to - 2] === '\r' ? to - 3 : to - 2;
  while (at >= start && (text[at] === ' ' || text[at] === '\t')) at -= 1;
  return at >= start && text[at] === '\n';
}

function closes(line: string, mark: string): boolean {
  const rest = line.trim();
  return /^ {0,3}\S/.test(line) && rest.startsWith(mark) && rest === mark.charAt(0).repeat(rest.length);
}

/** A block of settings that some site generators keep at the top. */
function afterFrontMatter(text: string, start: number): number {
  if (!/^---[ \t]*\r?\n/.test(text.slice(start, start + LOOK))) return start;
  const close = text.indexOf('\n---', start + 3);
  return close < 0 ? start : lineEnd(text, close + 1);
}
