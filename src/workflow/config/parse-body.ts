import { parse } from '@humanwhocodes/momoa';
import type { ValueNode } from '@humanwhocodes/momoa';
import type { ConfigProblem, Place } from './config-problem.ts';

/** What a configuration file has in it, or why that is not known. */
export type ParsedBody = { readonly body: ValueNode } | { readonly problem: ConfigProblem };

/** Parses the text of a configuration file: JSON, with comments and trailing commas. Never throws. */
export function parseBody(file: string, text: string): ParsedBody {
  const json = text.replace(/^\uFEFF/, '');
  try {
    return { body: parse(json, { mode: 'jsonc', allowTrailingCommas: true }).body };
  } catch (error) {
    return { problem: { file, ...syntaxProblem(error, json) } };
  }
}

/** The parser says where it stopped; at the end of the text, where that is. */
function syntaxProblem(error: unknown, text: string): Omit<ConfigProblem, 'file'> {
  if (error instanceof RangeError) return { rule: 'it is nested too deeply' };
  if (!(error instanceof Error) || !('line' in error) || !('column' in error)) throw error;
  const reason = error.message.replace(/ \(\d+:\d+\)$/, '').replace(/(?: found)?\.?$/, '');
  const { line, column } = error;
  const isEnd = reason.startsWith('Unexpected end');
  const place = isEnd ? endOf(text) : { line: Number(line), column: Number(column) };
  return { place, rule: `it is not JSON: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}` };
}

function endOf(text: string): Place {
  const lines = text.split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}
