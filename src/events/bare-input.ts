import type { Fields } from './call-files/field-names.ts';
import { withoutShown } from './call-files/plain-name.ts';
import { isPatchText } from './call-files/patched-files.ts';

/** What an agent that hands over no fields has said, or no input at all, and what stands beside that. */
const bare = {
  input: ['input', 'changes', 'locations', 'cwd', 'unread'],
  title: ['title', 'content', 'locations', 'cwd', 'unread'],
};

/** Where an agent that hands over no fields has put the command line. `undefined`: it has handed over fields. */
export function bareField(args: Fields): 'input' | 'title' | undefined {
  const names = Object.keys(args).map(withoutShown);
  const isOnly = (...known: readonly string[]) => names.every((name) => known.includes(name));
  if (Object.hasOwn(args, 'content') && isOnly(...bare.title)) return 'title';
  return isOnly(...bare.input) ? 'input' : undefined;
}

/** Whether what an agent has handed over is no fields, and no patch either. */
export function isBareInput(input: Fields): boolean {
  if (bareField(input) !== 'input') return false;
  const { input: said } = input;
  return said !== undefined && said !== '' && !(typeof said === 'string' && isPatchText(said));
}
