import { adapterNames } from '../../workflow/config/adapter-names.ts';
import type { AdapterName } from '../../workflow/config/adapter-names.ts';
import type { KnownAgent } from './agent-adapter.ts';
import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { cursor } from './cursor.ts';
import { gemini } from './gemini.ts';
import { opencode } from './opencode.ts';

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
