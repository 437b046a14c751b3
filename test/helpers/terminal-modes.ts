/** What programs switch on in a terminal, and have to leave as it was. */
const modes: readonly (readonly [what: string, on: RegExp, off: RegExp])[] = [
  ['the screen of programs', /\[\?(?:1049|1047|47)h/g, /\[\?(?:1049|1047|47)l/g],
  ['a hidden cursor', /\[\?25l/g, /\[\?25h/g],
  ['bracketed paste', /\[\?2004h/g, /\[\?2004l/g],
  ['focus events', /\[\?1004h/g, /\[\?1004l/g],
  ['the mouse', /\[\?100[0-36]h/g, /\[\?100[0-36]l/g],
  ['synchronised output', /\[\?2026h/g, /\[\?2026l/g],
  ['application keys', /\[\?1h|=/g, /\[\?1l|>/g],
  ['keys of kitty', /\[>\d*u/g, /\[<\d*u/g],
  ['keys with all modifiers', /\[>4;[1-3]m/g, /\[>4(?:;0)?m/g],
  ['no line wrap', /\[\?7l/g, /\[\?7h/g],
  ['a scroll region', /\[\d+;\d+r/g, /\[r/g],
  ['a title', /\[22;0t/g, /\[23;0t/g],
];

/** Which of them are on after these bytes. */
export function modesLeftOn(bytes: string): string[] {
  const last = (of: RegExp) =>
    [...bytes.matchAll(new RegExp(`\u001B(?:${of.source})`, 'g'))].at(-1)?.index ?? -1;
  return modes.filter(([, on, off]) => last(on) > last(off)).map(([what]) => what);
}
