import { isPathText, plainName, type Fields } from './field-names.ts';

const globs = ['glob', 'globs', 'include', 'includes', 'includepattern'];
/** What is a pattern of names of files, and of nothing else. */
const ofGlobs: ReadonlySet<string> = new Set(globs);
/** With one of these beside it a pattern is what is looked for in files. */
const besideTexts: ReadonlySet<string> = new Set([
  ...globs,
  'outputmode',
  'multiline',
  'n',
  'i',
  'oldstring',
  'newstring',
]);

/** How a place begins that is not below a folder: at a root, a home, a variable. */
const beginsWhole = /^(?:[/~]|\$\{?\w|[A-Za-z]:[/\\]|file:)/i;
const leadsUp = /(?:^|[/\\{,])\.\.(?:[/\\},]|$)/;
const wildcard = /[*?]|\{[^{},]*,/;
/** No pattern of names has these but `@(a|b)`. */
const ofExpressions = /[\\^]|(?<![!*+?@])\(|\.[*+?]\(|\$(?![\w{])|^[^(]*\|/;

/** Whether a text of a field says where to look: `/etc/**`, `../x`. What is to be left out is no place. */
export function isPlacePattern(name: string, text: string, beside: Fields): boolean {
  const plain = plainName(name);
  const isWhole = beginsWhole.test(text) || leadsUp.test(text);
  if (ofGlobs.has(plain)) return !/^!(?!\()/.test(text) && (isWhole || text.includes('/'));
  if (plain !== 'pattern' || ofExpressions.test(text)) return false;
  if (wildcard.test(text)) return isWhole || isPathText(text);
  // What is to be looked for in files may look like that, too.
  return isWhole && !Object.keys(beside).some((each) => besideTexts.has(plainName(each)));
}
