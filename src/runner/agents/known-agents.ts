import { adapterNames, type AdapterName } from '../../workflow/config/adapter-names.ts';
import type { KnownAgent } from './agent-adapter.ts';
import { claude } from './claude/claude.ts';
import { codex } from './codex/codex.ts';
import { copilot } from './copilot/copilot.ts';
import { cursor } from './cursor/cursor.ts';
import { gemini } from './gemini/gemini.ts';
import { opencode } from './opencode/opencode.ts';

/** The adapters of the agent CLIs that Clifford knows, by name. */
export const knownAgents: Readonly<Record<AdapterName, KnownAgent>> = {
  opencode,
  claude,
  codex,
  gemini,
  copilot,
  cursor,
};

/** The adapter of a name, `undefined` when there is none. */
export function knownAgent(name: string): KnownAgent | undefined {
  const known = adapterNames.find((each) => each === name);
  return known && knownAgents[known];
}
