import type { Json } from '../../lib/json/json-edits.ts';

/** What is to be in a file: a value at a path of keys, `['mcp', 'clifford']`. */
export type Entry = { readonly path: readonly string[]; readonly value: Json };

/** What becomes of a file into which an entry is merged. */
export type Merge =
  /** It has the entry already. */
  | { readonly is: 'there' }
  | { readonly is: 'added'; readonly text: string }
  /** It has another value there. `text` is the file with that replaced. */
  | { readonly is: 'different'; readonly text: string }
  /** It is left alone: it cannot be read, or has no place for the entry. */
  | { readonly is: 'refused'; readonly reason: string };
