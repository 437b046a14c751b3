import { parse } from '@humanwhocodes/momoa';
import { collectLeaves } from './collect-leaves.ts';
import type { ConfigDocument } from './config-document.ts';
import type { ConfigProblem, Place } from './config-problem.ts';
import { configSchema } from './config-schema.ts';

/**
 * Reads the text of a configuration file: JSON, with comments and trailing commas. Never throws: what
 * is wrong is among the problems, and the rest counts.
 */
export function parseConfig(file: string, text: string): ConfigDocument {
  const json = text.replace(/^\uFEFF/, '');
  try {
    const { body } = parse(json, { mode: 'jsonc', allowTrailingCommas: true });
    return collectLeaves(file, body, configSchema);
  } catch (error) {
    return { file, leaves: [], problems: [{ file, ...syntaxProblem(error, json) }], warnings: [] };
  }
}

/** The parser says where it stopped; at the end of the text, where that is. */
function syntaxProblem(error: unknown, text: string): Omit<ConfigProblem, 'file'> {
  if (error instanceof RangeError) return { rule: 'it is nested too deeply' };
  if (!(error instanceof Error) || !('line' in error) || !('column' in error)) throw error;
  const reason = error.message.replace(/ \(\d+:\d+\)$/, '').replace(/\.$/, '');
  const { line, column } = error;
  const isEnd = reason.startsWith('Unexpected end');
  const place = isEnd ? endOf(text) : { line: Number(line), column: Number(column) };
  return { place, rule: `it is not JSON: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}` };
}

function endOf(text: string): Place {
  const lines = text.split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}
