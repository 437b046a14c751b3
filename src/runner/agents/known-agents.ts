import { adapterNames } from '../../workflow/config/adapter-names.ts';
import type { AdapterName } from '../../workflow/config/adapter-names.ts';
import type { KnownAgent } from './agent-adapter.ts';

/** The adapters of the agent CLIs that Clifford knows, by name. */
export const knownAgents: Readonly<Partial<Record<AdapterName, KnownAgent>>> = {};

/** The adapter of a name, `undefined` when there is none. */
export function knownAgent(name: string): KnownAgent | undefined {
  const known = adapterNames.find((each) => each === name);
  return known && knownAgents[known];
}
