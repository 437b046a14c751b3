import { parse, type ValueNode } from '@humanwhocodes/momoa';
import type { ConfigProblem, LineAndColumn } from './config-problem.ts';

/** What a configuration file has in it, or why that is not known. */
export type ParsedBody = { readonly body: ValueNode } | { readonly problem: ConfigProblem };

/** Parses the text of a configuration file: JSON, with comments and trailing commas unless it is strict. Never throws. */
export function parseBody(file: string, text: string, { isStrict = false } = {}): ParsedBody {
  const json = text.replace(/^\uFEFF/, '');
  try {
    const mode = isStrict ? 'json' : 'jsonc';
    return { body: parse(json, { mode, allowTrailingCommas: !isStrict }).body };
  } catch (error) {
    return { problem: { file, ...syntaxProblem(error, json) } };
  }
}

/** The parser says where it stopped; at the end of the text, where that is. */
function syntaxProblem(error: unknown, text: string): Omit<ConfigProblem, 'file'> {
  if (error instanceof RangeError) return { rule: 'it is nested too deeply' };
  if (!(error instanceof Error) || !('line' in error) || !('column' in error)) throw error;
  const said = error.message.replace(/ \(\d+:\d+\)$/, '').replace(/(?: found)?\.?$/, '');
  const { line, column } = error;
  // It names the last brace where nothing comes after it.
  const isEnd = said.startsWith('Unexpected end') || (said.endsWith('LBrace') && text.trim() === '{');
  const reason = isEnd
    ? 'Unexpected end of input'
    : said.replace(/token (\w+)$/, (_, name: string) => tokens[name] ?? name);
  const place = isEnd ? endOf(text) : { line: Number(line), column: Number(column) };
  return { place, rule: `it is not JSON: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}` };
}

/** What the parser calls tokens, as they are written. */
const tokens: Readonly<Record<string, string>> = {
  LBrace: '{',
  RBrace: '}',
  LBracket: '[',
  RBracket: ']',
  Comma: ',',
  Colon: ':',
  String: 'string',
  Number: 'number',
};

function endOf(text: string): LineAndColumn {
  const lines = text.split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}
