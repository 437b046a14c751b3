import { cleanLine } from '../../lib/text/hidden-characters.ts';

const ESC = '\u001B';

/** The bell of the terminal. */
export const BELL = '\u0007';

/** Ends a string of the newer sequences; the older ones are ended by the bell, which every terminal knows. */
const STRING_END = `${ESC}\\`;

const MAX_LENGTH = 400;

/**
 * An operating system command (OSC), of which nothing can be left before its end: control characters are taken out of
 * its fields here, whatever was done to them before.
 */
function osc(code: string, fields: readonly string[], end = BELL): string {
  return `${ESC}]${[code, ...fields.map((field) => cleanLine(field, MAX_LENGTH))].join(';')}${end}`;
}

/** A sequence that tmux hands on to the terminal it runs in, where `allow-passthrough` is on. */
export function throughTmux(sequence: string): string {
  return `${ESC}Ptmux;${sequence.replaceAll(ESC, ESC + ESC)}${STRING_END}`;
}

/** Asks a terminal to remember its title, and to take it back. Those that cannot ignore it. */
export const pushTitle = `${ESC}[22;0t`;
/** See {@link pushTitle}. */
export const popTitle = `${ESC}[23;0t`;

/** The sequence for the title of the window and its tab. */
export function titleSequence(title: string): string {
  return osc('0', [title]);
}

/** How terminals are asked for a notification of the desktop. */
export type DesktopSequence = 'osc9' | 'osc777' | 'osc99';

/** The sequences for a notification of the desktop. */
export const desktopSequences: Readonly<Record<DesktopSequence, (title: string, text: string) => string>> = {
  // Some read `9;4;…` as something else. The title begins with a word of ours.
  osc9: (title, text) => osc('9', [`${title}: ${text}`]),
  // Fields end at a semicolon.
  osc777: (title, text) =>
    osc('777', ['notify', ...[title, text].map((field) => field.replaceAll(';', ','))]),
  osc99: (title, text) =>
    kittyPart('i=clifford:d=0:p=title:e=1', title) + kittyPart('i=clifford:d=1:p=body:e=1', text),
};

function kittyPart(fields: string, text: string): string {
  const encoded = Buffer.from(cleanLine(text, MAX_LENGTH)).toString('base64');
  return `${ESC}]99;${fields};${encoded}${STRING_END}`;
}

/** What the progress of a tab looks like. */
export const progressStates = { none: 0, normal: 1, failed: 2, waiting: 4 } as const;

/** The sequence for the progress that a tab shows. `percent`: 0 to 100. */
export function progressSequence(state: keyof typeof progressStates, percent: number): string {
  return osc('9', ['4', String(progressStates[state]), String(percent)]);
}
