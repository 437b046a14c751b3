import { isDeepStrictEqual } from 'node:util';
import { parse, stringify } from 'smol-toml';
import type { Entry, Merge } from './merge.ts';
import { nested } from '../../lib/json/json-edits.ts';
import { isJsonObject } from '../../lib/json/json-object.ts';

/** What a TOML file says, as plain values: dates as texts, whole numbers of any size. */
type Plain = { readonly [key: string]: unknown };

/**
 * Merges a table into TOML. A missing one is appended as a block: whatever else is there stays as it is. The
 * result is read again and compared before it counts, since a text can be cut in ways that only its parser knows.
 */
export function mergeToml(text: string, { path, value }: Entry): Merge {
  const before = plainToml(text);
  if ('refused' in before) return { is: 'refused', reason: before.refused };
  const name = path.join('.');
  const found = valueAt(before.plain, path);
  if (found !== undefined && isDeepStrictEqual(found, plain(value))) return { is: 'there' };

  const rest = found === undefined ? text : withoutTable(text, name);
  // Empty tables of the path itself are not said.
  const after = appended(rest, stringify(nested(path, value)).trim());
  const read = plainToml(after);
  const expected = withValue(before.plain, path, plain(value));
  if ('refused' in read || !isDeepStrictEqual(read.plain, expected))
    return { is: 'refused', reason: `[${name}] cannot be put into it: change it by hand` };
  return { is: found === undefined ? 'added' : 'different', text: after };
}

function appended(text: string, block: string): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = `${block}\n`.replaceAll('\n', eol);
  const kept = text.trimEnd();
  if (kept === '') return text.slice(0, text.length - text.trimStart().length) + lines;
  return `${text}${text.endsWith('\n') ? '' : eol}${eol}${lines}`;
}

/** The text without the blocks of a table and of those below it, each up to the next header or its comment. */
function withoutTable(text: string, name: string): string {
  const header = /^[ \t]*\[\[?[ \t]*([^\]]*?)[ \t]*\]/;
  const kept: string[] = [];
  let cut: string[] | undefined;
  for (const line of text.split(/(?<=\n)/)) {
    const [, title] = header.exec(line) ?? [];
    const isOurs = title === name || title?.startsWith(`${name}.`);
    if (isOurs) cut ??= [];
    else if (title !== undefined && cut) {
      kept.push(...cut.slice(cut.findLastIndex((each) => !/^[ \t]*(#.*)?\r?\n?$/.test(each)) + 1));
      cut = undefined;
    }
    (cut ?? kept).push(line);
  }
  return kept.join('').replace(/(\r?\n){2,}$/, '$1');
}

function plainToml(text: string): { readonly plain: Plain } | { readonly refused: string } {
  try {
    const table = parse(text.replace(/^\uFEFF/, ''), { integersAsBigInt: 'asNeeded' });
    return { plain: plain(table) as Plain };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { refused: `it is not TOML (${error.message.split('\n', 1)[0] ?? ''})` };
  }
}

function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_key, each: unknown) => (typeof each === 'bigint' ? `${each}n` : each)),
  );
}

function valueAt(table: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return table;
  return isJsonObject(table) && Object.hasOwn(table, key) ? valueAt(table[key], rest) : undefined;
}

function withValue(table: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const own = isJsonObject(table) ? table : {};
  return { ...own, [key]: withValue(own[key], rest, value) };
}
