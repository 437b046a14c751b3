import { collectLeaves } from './collect-leaves.ts';
import type { ConfigDocument } from './config-document.ts';
import { configSchema } from './config-schema.ts';
import { parseBody } from './parse-body.ts';

/**
 * Reads the text of a configuration file: JSON, with comments and trailing commas. Never throws: what
 * is wrong is among the problems, and the rest counts.
 */
export function parseConfig(file: string, text: string): ConfigDocument {
  const parsed = parseBody(file, text);
  if ('problem' in parsed) return { file, leaves: [], problems: [parsed.problem], unknownKeys: [] };
  return collectLeaves(file, parsed.body, configSchema);
}
