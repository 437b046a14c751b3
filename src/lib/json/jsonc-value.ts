import { evaluate } from '@humanwhocodes/momoa';
import { parseJsonTree } from './json-tree.ts';

/** The value of JSON with or without comments and trailing commas; `undefined` for what is no JSON. */
export function jsoncValue(text: string): unknown {
  const parsed = parseJsonTree(text);
  return 'refused' in parsed ? undefined : evaluate(parsed);
}
