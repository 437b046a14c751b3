/** The colours of a terminal that can be read on its background, whether that is light or dark, by their numbers. */
const palette = new Map<number, OwnColor>([
  [1, 'red'],
  [2, 'green'],
  [3, 'yellow'],
  [4, 'blue'],
  [5, 'magenta'],
  [6, 'cyan'],
  [8, 'gray'],
  [9, 'redBright'],
  [10, 'greenBright'],
  [11, 'yellowBright'],
  [12, 'blueBright'],
  [13, 'magentaBright'],
  [14, 'cyanBright'],
]);

type Hue = 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan';

/** The name of a colour, as Ink has it. */
export type OwnColor = Hue | `${Hue}Bright` | 'gray';

/** How a program wants its text to look: as much of that as can neither hide nor move anything. */
export type OwnStyle = {
  readonly color: OwnColor | undefined;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
};

const plain: OwnStyle = { color: undefined, bold: false, dim: false, italic: false, underline: false };

/** What a code of SGR changes. */
const changes: Readonly<Record<string, Partial<OwnStyle>>> = {
  '': plain,
  '0': plain,
  '1': { bold: true },
  '2': { dim: true },
  '3': { italic: true },
  '4': { underline: true },
  '4:0': { underline: false },
  '21': { underline: true },
  '22': { bold: false, dim: false },
  '23': { italic: false },
  '24': { underline: false },
  '39': { color: undefined },
};

/** Sets all of a style back. */
export const STYLE_RESET = '\u001B[0m';

/** What sets a style. */
// oxlint-disable-next-line no-control-regex -- sequences begin with one
const SGR = /\u001B\[[\d;:]*m/g;

/** Styles there were: two that look alike are one, so that their texts can be put together. */
const styles = new Map<string, OwnStyle | undefined>([[keyOf(plain), undefined]]);

/** What sequences change, as far as they were met: the lines of a program have the same ones. */
const read = new Map<string, Partial<OwnStyle>>();
const MOST_READ = 500;

/**
 * The style after some escape sequences in a row; `undefined`: as the terminal writes by itself. Bold, dim, italic, underlined and
 * the 16 colours count, nothing else does: black and white stay the terminal's own colour, and there are no backgrounds,
 * since one of them on another cannot be seen.
 */
export function styleAfter(before: OwnStyle | undefined, sequences: string): OwnStyle | undefined {
  let change = read.get(sequences);
  if (!change) {
    change = (sequences.match(SGR) ?? [])
      .map(changeOfSequence)
      .reduce((all, one) => ({ ...all, ...one }), {});
    if (read.size >= MOST_READ) read.clear();
    read.set(sequences, change);
  }
  const style = { ...(before ?? plain), ...change };
  const key = keyOf(style);
  if (!styles.has(key)) styles.set(key, style);
  return styles.get(key);
}

/** The style behind a text, of which only that is wanted. */
export function styleBehind(before: OwnStyle | undefined, text: string): OwnStyle | undefined {
  if (!text.includes('\u001B')) return before;
  // What stands before a reset is of no account, and most lines end with one.
  const reset = Math.max(text.lastIndexOf(STYLE_RESET), text.lastIndexOf('\u001B[m'));
  const rest = reset < 0 ? text : text.slice(reset);
  return styleAfter(before, (rest.match(SGR) ?? []).join(''));
}

function keyOf({ color, bold, dim, italic, underline }: OwnStyle): string {
  return `${color} ${bold} ${dim} ${italic} ${underline}`;
}

function changeOfSequence(sequence: string): Partial<OwnStyle> {
  let change: Partial<OwnStyle> = {};
  const codes = sequence.slice(2, -1).split(';');
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? '';
    if (/^[345]8$/.test(code)) {
      // A colour in the numbers behind it: one of a table, or red, green and blue.
      const isOfTable = codes[at + 1] === '5';
      if (code === '38')
        change = { ...change, color: isOfTable ? palette.get(Number(codes[at + 2])) : undefined };
      at += isOfTable ? 2 : 4;
    } else change = { ...change, ...changeOfCode(code) };
  }
  return change;
}

function changeOfCode(code: string): Partial<OwnStyle> {
  const known = Object.hasOwn(changes, code) ? changes[code] : undefined;
  if (known) return known;
  const [first = '', kind, index] = code.split(':');
  if (first === '4') return { underline: true };
  if (first === '38') return { color: kind === '5' ? palette.get(Number(index)) : undefined };
  const number = Number(code);
  if (number >= 30 && number <= 37) return { color: palette.get(number - 30) };
  if (number >= 90 && number <= 97) return { color: palette.get(number - 90 + 8) };
  return {};
}
