import { evaluate, parse, type DocumentNode, type MemberNode, type ObjectNode } from '@humanwhocodes/momoa';

/**
 * Parses JSON that people write, with or without comments and trailing commas. Each node has its range, from and
 * to which offset it stands; what is no JSON is refused with the reason.
 */
export function parseJsonTree(json: string): DocumentNode | { readonly refused: string } {
  try {
    return parse(json, { mode: 'jsonc', ranges: true, tokens: true, allowTrailingCommas: true });
  } catch (error) {
    if (error instanceof RangeError) return { refused: 'it is nested too deeply' };
    if (!(error instanceof Error) || !('line' in error) || !('column' in error)) throw error;
    return { refused: `it is not JSON (line ${String(error.line)}, column ${String(error.column)})` };
  }
}

/** The value of JSON with or without comments and trailing commas; `undefined` for what is no JSON. */
export function jsoncValue(text: string): unknown {
  const parsed = parseJsonTree(text);
  return 'refused' in parsed ? undefined : evaluate(parsed);
}

/** The member of an object with this key. Of keys that stand there twice the last counts. */
export function memberOf({ members }: ObjectNode, key: string): MemberNode | undefined {
  return members.findLast(({ name }) => (name.type === 'String' ? name.value : name.name) === key);
}

/** From which offset to which a node of a tree stands in its text. */
export function rangeOf({ range }: { range?: readonly number[] }): readonly [number, number] {
  const [start, end] = range ?? [];
  if (start === undefined || end === undefined) throw new Error('the parser was not asked for ranges');
  return [start, end];
}
