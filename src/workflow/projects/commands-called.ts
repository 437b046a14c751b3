import { printedWord } from '../../lib/text/shell-word.ts';

/** What stands in front of the commands about a project of the list, in whichever folder they are typed. */
export function calledIn(name: string): string {
  return `clifford --project${name.startsWith('-') ? '=' : ' '}${printedWord(name)}`;
}

/** A word in quotes, as it is printed to be typed, which stays as it is; or a command of Clifford, but for those that are about no project. */
const QUOTED_OR_COMMAND =
  /(?<![^\s=$])'[^']*'(?:\\''[^']*')*|(?<![\w/.'-]|--project )clifford (?=[a-z])(?!projects\b|demo\b)/g;

/**
 * What an error or a hint of ours says to do, with the project in its commands. Where it is about all projects it says that itself.
 *
 * @param called - `clifford`, or as {@link calledIn}.
 */
export function commandsCalled(called: string, text: string): string {
  if (/(?<!\S)--everywhere(?![\w-])/.test(text)) return text;
  return text.replace(QUOTED_OR_COMMAND, (found) => (found.includes("'") ? found : `${called} `));
}
