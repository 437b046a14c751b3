/* oxlint-disable no-control-regex -- control characters are what this file is about */

const TITLE_ENDS = ['\u0007', '\u001B\\', '\u009C'];
/** Sequences without a text of their own: what follows them stays. */
const short = /[\u001B\u009B][[\]()#;?]*(?:\d{1,4}(?:[;:]\d{0,4})*)?[\dA-PR-TZcf-nq-uy=><~]/g;
const titleOrShort = new RegExp(
  `\\u001B\\][^]*?(?:${TITLE_ENDS.join('|').replace('\\', '\\\\')})|${short.source}`,
  'g',
);

/**
 * A text without escape sequences, as Node's `stripVTControlCharacters` makes it. That looks for the end of each title in
 * all that follows: where many begin and none ends, it takes the square of their number.
 */
export function withoutSequences(text: string): string {
  const ends = TITLE_ENDS.filter((mark) => text.includes(mark));
  const end = Math.max(0, ...ends.map((mark) => text.lastIndexOf(mark) + mark.length));
  return text.slice(0, end).replaceAll(titleOrShort, '') + text.slice(end).replaceAll(short, '');
}
