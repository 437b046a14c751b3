import { isJsonObject } from '../../lib/json/json-object.ts';

/** How agents name what they say of a call of a tool of their own. */
const names = ['description', 'justification', 'explanation', 'purpose', 'intention', 'reason'] as const;

/** Longest text in UTF-16 units that stands before what it is about: more would push that out of sight. */
const LONGEST = 200;

/** What an agent says, on a line, of a call of a tool of its own, and the argument in which it does. */
export function saidOfCall(args: unknown): { readonly name: string; readonly text: string } | undefined {
  if (!isJsonObject(args)) return undefined;
  for (const name of names) {
    const text = args[name];
    if (typeof text === 'string' && text.trim() !== '' && text.length <= LONGEST && !/[\r\n]/.test(text))
      return { name, text };
  }
  return undefined;
}
