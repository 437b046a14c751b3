import { isPathText, type Fields } from './field-names.ts';
import { hasMeaning } from './field-table.ts';
import { plainName } from './plain-name.ts';

/** How a place begins that is not below a folder: at a root, a home, a variable. */
const beginsWhole = /^(?:[/~]|\$\{?\w|[A-Za-z]:[/\\]|file:)/i;
const leadsUp = /(?:^|[/\\{,])\.\.(?:[/\\},]|$)/;
const wildcard = /[*?]|\{[^{},]*,/;
/** No pattern of names has these but `@(a|b)`. */
const ofExpressions = /[\\^]|(?<![!*+?@])\(|\.[*+?]\(|\$(?![\w{])|^[^(]*\|/;

/** Whether a text of a field says where to look: `/etc/**`, `../x`. What is to be left out is no place. */
export function isPlacePattern(name: string, text: string, beside: Fields): boolean {
  const isWhole = beginsWhole.test(text) || leadsUp.test(text);
  if (hasMeaning(name, 'glob')) return !/^!(?!\()/.test(text) && (isWhole || text.includes('/'));
  if (plainName(name) !== 'pattern' || ofExpressions.test(text)) return false;
  if (wildcard.test(text)) return isWhole || isPathText(text);
  // What is to be looked for in files may look like that, too.
  return isWhole && !Object.keys(beside).some((each) => hasMeaning(each, 'grep', 'glob'));
}
