import { cellsOf, graphemesOf } from './cells.ts';

/** What of a text is replaced: the signs and lines that we draw with, or all that is not ASCII. */
export type AsciiReach = 'signs' | 'all';

const signs: Readonly<Record<string, string>> = {
  '●': '*',
  '○': 'o',
  '■': '#',
  '✔': '+',
  '✗': 'x',
  '☑': 'x',
  '☐': 'o',
  '◆': '*',
  '–': '-',
  '−': '-',
  '—': '-',
  '›': '>',
  '‹': '<',
  '…': '~',
  '⋯': '.',
  '·': '-',
  '•': '*',
  '×': 'x',
  '▼': 'v',
  '▲': '^',
  '◀': '<',
  '▶': '>',
  '▸': '>',
  '↑': '^',
  '↓': 'v',
  '←': '<',
  '→': '>',
  '⇧': '^',
  '↪': '>',
  '⏎': ';',
  '▏': '|',
  '━': '=',
  '╍': 'x',
  '─': '-',
  '│': '|',
  '┃': '|',
  '▐': '#',
  '’': "'",
  '‘': "'",
  '“': '"',
  '”': '"',
};

// oxlint-disable-next-line no-control-regex -- what is ASCII begins with them
const others = /[^\u0000-\u007F]+/g;

/** The text with characters of ASCII in place of others, as wide as before: for terminals that show nothing else. */
export function toAscii(text: string, reach: AsciiReach): string {
  return text.replaceAll(others, (run) =>
    graphemesOf(run)
      .map((grapheme) => signs[grapheme] ?? other(grapheme, reach))
      .join(''),
  );
}

function other(grapheme: string, reach: AsciiReach): string {
  // Lines and blocks, of which we draw but a few.
  if (/^[\u2500-\u259F]/.test(grapheme)) return '+';
  if (reach === 'signs') return grapheme;
  const plain = grapheme.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  const cells = cellsOf(grapheme);
  return /^[ -~]+$/.test(plain) && plain.length === cells ? plain : '?'.repeat(cells);
}
