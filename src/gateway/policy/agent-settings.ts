import { asRead } from './as-read.ts';
import { decodingsOf } from './path-below.ts';

/**
 * What agents read their own settings from in a project, their permissions, hooks, plugins and servers among them, by
 * the names of files and folders.
 */
const SETTINGS: ReadonlySet<string> = new Set([
  '.claude',
  '.claude.json',
  '.codex',
  '.copilot',
  '.cursor',
  '.gemini',
  '.mcp.json',
  '.opencode',
  'opencode.json',
  'opencode.jsonc',
]);

/** Whether a path, from the root of a project, leads to settings of an agent, in one reading or another. */
export function namesSettings(path: string): boolean {
  const readings = decodingsOf(path) ?? [path];
  return readings.some((text) => text.split(/[\\/]/).some((name) => SETTINGS.has(asRead(name))));
}
