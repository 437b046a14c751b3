import { MOUSE_OFF, MOUSE_ON } from '../mouse/mouse-report.ts';
import { diffLookIn, type DiffLook } from './diff-look.ts';
import { ENTER, LEAVE } from './terminal-stream.ts';
import { themes, type ScreenConfig } from '../../workflow/config/screen-keys.ts';
import { toAscii, type AsciiReach } from '../../lib/text/ascii.ts';

export type Theme = (typeof themes)[number];

/** How screens look on a terminal. */
export type ScreenLook = {
  readonly theme: Exclude<Theme, 'auto'> | 'own';
  /** What is replaced by ASCII; `undefined`: nothing. */
  readonly ascii: AsciiReach | undefined;
  readonly diff: DiffLook;
  /** Nothing moves by itself but what has to. */
  readonly isStill: boolean;
  /** Clicks and the wheel are ours, not the terminal's. */
  readonly hasMouse: boolean;
};

type Env = Readonly<Record<string, string | undefined>>;

/** What a person has asked for on the command line. */
export type LookAsked = { readonly theme?: Theme | undefined; readonly mouse?: true | undefined };

/** What a person has asked for of the look, or else the environment says, or the configuration. */
export function lookIn(env: Env, asked: LookAsked = {}, config?: ScreenConfig): ScreenLook {
  const theme = themeIn(env, asked.theme, config?.theme);
  return {
    theme,
    diff: diffLookIn(env, theme),
    ascii: asciiIn(env, config?.ascii),
    isStill: wish(env['CLIFFORD_REDUCED_MOTION']) ?? config?.reducedMotion ?? false,
    hasMouse: asked.mouse ?? wish(env['CLIFFORD_MOUSE']) ?? config?.mouse ?? false,
  };
}

/** What a variable says; `undefined`: nothing. */
function wish(value: string | undefined): boolean | undefined {
  return value === undefined || value === ''
    ? undefined
    : !['0', 'false', 'no'].includes(value.toLowerCase());
}

function themeIn(
  env: Env,
  asked: Theme | undefined,
  configured: Theme | undefined = 'auto',
): ScreenLook['theme'] {
  const wanted = asked ?? (env['NO_COLOR'] ? 'none' : (named(env['CLIFFORD_THEME']) ?? configured));
  if (wanted !== 'auto') return wanted;
  // Some terminals say which colours they have: the last is that of the background, of 16.
  const background = /;(\d+)$/.exec(env['COLORFGBG'] ?? '')?.[1];
  return background === '7' || background === '15' ? 'light' : 'own';
}

function named(value: string | undefined): Theme | undefined {
  return themes.find((theme) => theme === value);
}

/** A locale that is set and has no Unicode shows nothing but ASCII. */
export function asciiIn(env: Env, configured?: boolean): AsciiReach | undefined {
  const isWanted = wish(env['CLIFFORD_ASCII']) ?? configured;
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '';
  const isPoor = locale !== '' && !/utf-?8/i.test(locale);
  if (isWanted === undefined) return isPoor ? 'all' : undefined;
  return isWanted ? (isPoor ? 'all' : 'signs') : undefined;
}

/** What is written to a terminal of this look in place of a text; `undefined`: the text itself. */
export function writtenAs({ theme, ascii, hasMouse }: ScreenLook): ((text: string) => string) | undefined {
  const steps = [
    ...(theme === 'own' ? [] : [(text: string) => recoloured(text, theme)]),
    ...(ascii === undefined ? [] : [(text: string) => toAscii(text, ascii)]),
    ...(hasMouse ? [withMouse] : []),
  ];
  if (steps.length === 0) return undefined;
  return (text) => steps.reduce((now, step) => step(now), text);
}

/** Wherever a screen is entered and left, also by Ctrl+Z, for an editor and at a bad end. */
function withMouse(text: string): string {
  return text.replace(ENTER, ENTER + MOUSE_ON).replace(LEAVE, MOUSE_OFF + LEAVE);
}

// oxlint-disable-next-line no-control-regex -- this is how a colour begins
const styles = /\u001B\[([\d;]*)m/g;

function recoloured(text: string, theme: Exclude<Theme, 'auto'>): string {
  return text.replaceAll(styles, (whole, codes: string) => {
    const kept = withColours(codes.split(';'), theme);
    if (kept.length === 0) return '';
    return kept.join(';') === codes ? whole : `\u001B[${kept.join(';')}m`;
  });
}

/** What can hardly be read on such a background, and what is written instead. */
const instead: Readonly<Record<'dark' | 'light', Readonly<Record<string, string>>>> = {
  dark: { '30': '90', '31': '91', '34': '94', '35': '95' },
  light: { '33': '35', '36': '34', '37': '39', '92': '32', '93': '35', '96': '34', '97': '39' },
};

function withColours(codes: readonly string[], theme: Exclude<Theme, 'auto'>): string[] {
  const kept: string[] = [];
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? '';
    // One of 256 colours, or of all: what follows says which, and is no code.
    const length = code !== '38' && code !== '48' ? 1 : codes[at + 1] === '2' ? 5 : 3;
    if (length > 1) {
      if (theme !== 'none') kept.push(...codes.slice(at, at + length));
      at += length - 1;
    } else if (theme !== 'none') kept.push(instead[theme][code] ?? code);
    else if (!/^(3[0-79]|4[0-79]|9[0-7]|10[0-7])$/.test(code)) kept.push(code);
  }
  return kept;
}
