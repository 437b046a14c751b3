import { colors } from './theme.ts';

/**
 * How lines of differences stand out, beside their signs: on a ground of their own, whatever that of the terminal is, or, where
 * it has no such colours, by the colour of their words.
 */
export type DiffLook = 'dark' | 'light' | 'words';

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
const green = 'ansi256(34)';
const red = 'ansi256(124)';
const lightGreen = 'ansi256(157)';
const lightRed = 'ansi256(217)';
const white = 'ansi256(231)';
const black = 'ansi256(16)';

const on = (backgroundColor: string, color: string): LineLook => ({ color, backgroundColor });

const strong = (look: LineLook): LineLook => ({ ...look, bold: true });

/** Lines that are added, and removed, and in them the words by which they differ. */
export const diffLooks = {
  dark: {
    added: on(darkGreen, white),
    removed: on(darkRed, white),
    addedWord: strong(on(green, black)),
    removedWord: strong(on(red, white)),
  },
  light: {
    added: on(paleGreen, darkGreen),
    removed: on(paleRed, darkRed),
    addedWord: strong(on(lightGreen, black)),
    removedWord: strong(on(lightRed, black)),
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
  if (theme === 'none' || !has256Colours(env)) return 'words';
  return theme === 'light' ? 'light' : 'dark';
}

/** As far as a terminal says it, by the rules of those who draw on it. */
function has256Colours({ FORCE_COLOR, COLORTERM, TERM = '', TERM_PROGRAM = '', WT_SESSION }: Env): boolean {
  if (FORCE_COLOR !== undefined) return FORCE_COLOR === '2' || FORCE_COLOR === '3';
  if (TERM === 'dumb') return false;
  if (COLORTERM === 'truecolor' || COLORTERM === '24bit' || WT_SESSION !== undefined) return true;
  return (
    /-256(?:color)?$|-direct$|^xterm-(?:kitty|ghostty)$|^wezterm$/i.test(TERM) ||
    ['iTerm.app', 'Apple_Terminal'].includes(TERM_PROGRAM)
  );
}
