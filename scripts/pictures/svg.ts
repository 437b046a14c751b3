import type { IBufferCell, IBufferLine, Terminal } from '@xterm/headless';

/** What a terminal paints with: text, background, the sixteen colours that programs name. */
export type Palette = {
  readonly text: string;
  readonly background: string;
  readonly colours: readonly string[];
};

export const dark: Palette = {
  text: '#d7dae0',
  background: '#16181d',
  colours: (
    '#2b2f37 #f0717b #8fd17d #e6c069 #6fb1f2 #cd8fe6 #5cc7c9 #d7dae0 ' +
    '#6b7280 #ff8f97 #a9e797 #f5d98b #93c8ff #e0aef5 #7fe0e2 #ffffff'
  ).split(' '),
};

export const light: Palette = {
  text: '#24292f',
  background: '#ffffff',
  colours: (
    '#24292f #c0262d #1a7f37 #8a6100 #0a58ca #8250df #1b7c83 #6e7781 ' +
    '#57606a #d1242f #2da44e #9a6700 #218bff #a475f9 #3192aa #8c959f'
  ).split(' '),
};

/** Of one cell, in pixels: those of a common monospaced font at 14 px. */
const CELL = { width: 8.4, height: 18, baseline: 13.5 };
const MARGIN = 12;
/** Neighbours touch: nothing is smoothed at their edges. */
const SHARP = ' shape-rendering="crispEdges"';
const FONT = "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace";

type Style = {
  readonly text: string;
  readonly behind: string | undefined;
  readonly look: string;
  /** How it is made: what fonts leave gaps in is drawn. */
  readonly as: 'line' | 'block' | 'words';
};

/** Cells beside each other that look the same. */
type Run = Style & { readonly at: number; cells: number; chars: string };

/** A picture of what a terminal shows, as SVG. Nothing in it is loaded from elsewhere. */
export function pictureOf(
  { buffer: { active }, cols, rows }: Terminal,
  palette: Palette,
  title: string,
): string {
  const width = px(cols * CELL.width + 2 * MARGIN);
  const height = px(rows * CELL.height + 2 * MARGIN);
  const drawn = Array.from({ length: rows }, (_, row) => {
    const line = active.getLine(active.viewportY + row);
    return line ? runsOf(line, cols, palette).map((run) => drawRun(run, row)) : [];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" rx="8" fill="${palette.background}"/>`,
    `<g font-family="${FONT}" font-size="14" fill="${palette.text}">`,
    ...drawn.flat().filter(Boolean),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

function runsOf(line: IBufferLine, columns: number, palette: Palette): Run[] {
  const runs: Run[] = [];
  for (let at = 0; at < columns; at += 1) {
    const cell = line.getCell(at);
    if (!cell || cell.getWidth() === 0) continue;
    const style = styleOf(cell, palette);
    const last = runs.at(-1);
    const chars = cell.getChars() || ' ';
    if (last && isSame(last, style) && last.at + last.cells === at) {
      last.chars += chars;
      last.cells += cell.getWidth();
    } else runs.push({ ...style, at, cells: cell.getWidth(), chars });
  }
  return runs;
}

function isSame(one: Style, other: Style): boolean {
  return (
    one.as === other.as && one.text === other.text && one.behind === other.behind && one.look === other.look
  );
}

function styleOf(cell: IBufferCell, palette: Palette): Style {
  const text = cell.isFgDefault() ? palette.text : colourOf(cell.getFgColor(), cell.isFgRGB(), palette);
  const behind = cell.isBgDefault() ? undefined : colourOf(cell.getBgColor(), cell.isBgRGB(), palette);
  const look = [
    cell.isBold() ? ' font-weight="bold"' : '',
    cell.isDim() ? ' opacity="0.62"' : '',
    cell.isItalic() ? ' font-style="italic"' : '',
    cell.isUnderline() ? ' text-decoration="underline"' : '',
  ].join('');
  const drawn = { look, as: shapeOf(cell.getChars()) };
  return cell.isInverse()
    ? { ...drawn, text: behind ?? palette.background, behind: text }
    : { ...drawn, text, behind };
}

function shapeOf(chars: string): Style['as'] {
  if (chars === RIGHT_HALF) return 'block';
  return chars in lineEdges ? 'line' : 'words';
}

/** The colour of a number: one of sixteen, of the cube of 216 or of the greys of xterm, or a value of its own. */
function colourOf(value: number, isRgb: boolean, { colours }: Palette): string {
  if (isRgb) return hex(value);
  const named = colours[value];
  if (named !== undefined) return named;
  if (value >= 232) return hex((8 + (value - 232) * 10) * 0x01_01_01);
  const level = (step: number) => (step === 0 ? 0 : 55 + step * 40);
  const [red, green, blue] = [
    Math.floor((value - 16) / 36),
    Math.floor((value - 16) / 6) % 6,
    (value - 16) % 6,
  ];
  return hex((level(red) << 16) | (level(green) << 8) | level(blue));
}

function hex(value: number): string {
  return `#${value.toString(16).padStart(6, '0')}`;
}

function drawRun({ at, cells, chars, text, behind, look, as }: Run, row: number): string {
  const [x, y] = [MARGIN + at * CELL.width, MARGIN + row * CELL.height];
  // As wide as from one edge to the next, each where its neighbours have it, or there would be seams.
  const width = px(Number(px(x + cells * CELL.width)) - Number(px(x)));
  const back = behind
    ? `<rect x="${px(x)}" y="${px(y)}" width="${width}" height="${CELL.height}" fill="${behind}"${SHARP}/>`
    : '';
  const words = chars.trim();
  if (words === '') return back;
  if (as === 'block') return back + drawBlocks(Array.from(chars), { x, y, text, look });
  if (as === 'line') return back + drawLines(Array.from(chars), { x, y, text, look });
  const before = chars.length - chars.trimStart().length;
  const left = x + before * CELL.width;
  // Whatever the font of who looks at it: each run is as wide as its cells.
  const stretch = ` textLength="${px((cells - (chars.length - words.length)) * CELL.width)}" lengthAdjust="spacingAndGlyphs"`;
  return `${back}<text x="${px(left)}" y="${px(y + CELL.baseline)}" fill="${text}"${look}${stretch}>${kept(escaped(words))}</text>`;
}

/** The characters that fonts make too short to touch each other from row to row: of each, the edges of its cell that it leads to. */
const lineEdges: Readonly<Record<string, string>> = {
  '─': 'lr',
  '│': 'ud',
  '┌': 'rd',
  '┐': 'ld',
  '└': 'ru',
  '┘': 'lu',
  '├': 'udr',
  '┤': 'udl',
  '┬': 'lrd',
  '┴': 'lru',
  '┼': 'lrud',
  '╭': 'rd',
  '╮': 'ld',
  '╰': 'ru',
  '╯': 'lu',
  '━': 'lr',
  '┃': 'ud',
};

/** Where characters that are drawn begin, and how they look. */
type Drawing = { readonly x: number; readonly y: number; readonly text: string; readonly look: string };

/** The bar of what is longer than its pane. */
const RIGHT_HALF = '▐';

function drawBlocks(chars: readonly string[], { x, y, text, look }: Drawing): string {
  const half = CELL.width / 2;
  const ways = chars.map(
    (_, at) => `M${px(x + at * CELL.width + half)} ${px(y)}h${px(half)}v${CELL.height}h-${px(half)}z`,
  );
  return `<path d="${ways.join('')}" fill="${text}"${look}${SHARP}/>`;
}

function drawLines(chars: readonly string[], { x, y, text, look }: Drawing): string {
  const middle = px(y + CELL.height / 2);
  const ways = chars.map((char, at) => {
    const left = x + at * CELL.width;
    const centre = px(left + CELL.width / 2);
    const ends: Readonly<Record<string, string>> = {
      l: `H${px(left)}`,
      r: `H${px(left + CELL.width)}`,
      u: `V${px(y)}`,
      d: `V${px(y + CELL.height)}`,
    };
    return Array.from(lineEdges[char] ?? '')
      .map((edge) => `M${centre} ${middle}${ends[edge]}`)
      .join('');
  });
  const isHeavy = chars.some((char) => char === '━' || char === '┃');
  return `<path d="${ways.join('')}" fill="none" stroke="${text}" stroke-width="${isHeavy ? 3 : 1}"${look}${SHARP}/>`;
}

function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** Blanks in a row, which viewers of SVG make one. */
function kept(text: string): string {
  return text.replaceAll(/ {2,}/g, (blanks) => '\u00A0'.repeat(blanks.length));
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
