import { isJsonObject } from '../../lib/json/json-object.ts';
import { visibleLine } from '../../lib/text/visible.ts';

/** How agents name what they say of a call of a tool of their own. */
const names = ['description', 'justification', 'explanation', 'purpose', 'intention', 'reason'] as const;

/** Longest text in UTF-16 units, as it is shown, that stands before what it is about: more would push that out of sight. */
const LONGEST = 200;

/** What an agent says of a call of a tool of its own, on a line and safe to show, and the argument in which it does. */
export function saidOfCall(args: unknown): { readonly name: string; readonly text: string } | undefined {
  if (!isJsonObject(args)) return undefined;
  for (const name of names) {
    const said = args[name];
    if (typeof said !== 'string' || said.length > LONGEST || /[\r\n]/.test(said)) continue;
    const text = visibleLine(said);
    if (text !== '' && text.length <= LONGEST) return { name, text };
  }
  return undefined;
}
