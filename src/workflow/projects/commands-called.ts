import { printedWord } from '../../lib/text/shell-word.ts';

/** What stands in front of the commands about a project of the list, in whichever folder they are typed. */
export function calledIn(name: string): string {
  return `clifford --project${name.startsWith('-') ? '=' : ' '}${printedWord(name)}`;
}

/** A command of Clifford, but for those that are about no project. */
const COMMAND = /(?<![\w/.'-]|--project )clifford (?=[a-z])(?!projects\b|demo\b)/g;

/**
 * What an error or a hint of ours says to do, with the project in its commands. Where it is about all projects it says that itself.
 *
 * @param called - `clifford`, or as {@link calledIn}.
 */
export function commandsCalled(called: string, text: string): string {
  return /(?<!\S)--everywhere(?![\w-])/.test(text) ? text : text.replace(COMMAND, () => `${called} `);
}
