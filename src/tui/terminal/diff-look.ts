import { colors } from './theme.ts';

/**
 * How lines of differences stand out, beside their signs: on a ground of their own, whatever that of the terminal is, or, where
 * it has no such colours, by the colour of their words.
 */
export type DiffLook = 'dark' | 'light' | 'quiet dark' | 'quiet light' | 'words';

type LineLook = {
  readonly color: string;
  readonly backgroundColor?: string;
  readonly bold?: boolean;
  readonly underline?: boolean;
};

/** Of 256 colours those that no theme of a terminal changes. */
const darkGreen = 'ansi256(22)';
const darkRed = 'ansi256(52)';
const paleGreen = 'ansi256(194)';
const paleRed = 'ansi256(224)';
const clearGreen = 'ansi256(114)';
const clearRed = 'ansi256(210)';
const lightGreen = 'ansi256(157)';
const lightRed = 'ansi256(217)';
const white = 'ansi256(231)';
const black = 'ansi256(16)';

const on = (backgroundColor: string, color: string): LineLook => ({ color, backgroundColor });

const strong = (look: LineLook): LineLook => ({ ...look, bold: true });

/** Lines that are added, and removed, and in them the words by which they differ. */
export const diffLooks = {
  // The darkest grounds that 256 colours have are too bright for whole lines.
  dark: {
    added: { color: clearGreen },
    removed: { color: clearRed },
    addedWord: strong(on(darkGreen, white)),
    removedWord: strong(on(darkRed, white)),
  },
  light: {
    added: on(paleGreen, darkGreen),
    removed: on(paleRed, darkRed),
    addedWord: strong(on(lightGreen, black)),
    removedWord: strong(on(lightRed, black)),
  },
  // Where any colour can be shown, grounds that leave the text what is seen first.
  'quiet dark': {
    added: on('#12301e', '#d8e8dc'),
    removed: on('#3a191c', '#eddada'),
    addedWord: strong(on('#17592f', '#ffffff')),
    removedWord: strong(on('#7a1f28', '#ffffff')),
  },
  'quiet light': {
    added: on('#e6f6ea', '#0b3d1c'),
    removed: on('#fbe9e9', '#5c1216'),
    addedWord: strong(on('#a9e3b8', '#000000')),
    removedWord: strong(on('#f4b5b5', '#000000')),
  },
  // On no ground of their own, words stand out by a line below them.
  words: {
    added: { color: colors.ok },
    removed: { color: colors.bad },
    addedWord: { color: colors.ok, bold: true, underline: true },
    removedWord: { color: colors.bad, bold: true, underline: true },
  },
} as const satisfies Record<DiffLook, Record<'added' | 'removed' | 'addedWord' | 'removedWord', LineLook>>;

type Env = Readonly<Record<string, string | undefined>>;

/** The look of differences on a terminal with this theme of the screen. */
export function diffLookIn(env: Env, theme: string): DiffLook {
  const colours = theme === 'none' ? 0 : coloursOf(env);
  if (colours === 0) return 'words';
  const look = theme === 'light' ? 'light' : 'dark';
  return colours === 256 ? look : `quiet ${look}`;
}

/** How many colours there are, as far as a terminal says it, by the rules of those who draw on it; 0: fewer than 256. */
function coloursOf({ FORCE_COLOR, COLORTERM, TERM = '', TERM_PROGRAM = '', WT_SESSION }: Env): number {
  if (FORCE_COLOR !== undefined) return FORCE_COLOR === '3' ? 2 ** 24 : FORCE_COLOR === '2' ? 256 : 0;
  if (TERM === 'dumb') return 0;
  if (COLORTERM === 'truecolor' || COLORTERM === '24bit' || WT_SESSION !== undefined) return 2 ** 24;
  if (/-direct$|^xterm-(?:kitty|ghostty)$|^wezterm$/i.test(TERM) || TERM_PROGRAM === 'iTerm.app')
    return 2 ** 24;
  return /-256(?:color)?$/i.test(TERM) || TERM_PROGRAM === 'Apple_Terminal' ? 256 : 0;
}
