import { existsSync } from 'node:fs';
import { agentClis } from './agent-clis.ts';
import { programOf } from './installed.ts';

/** Ends a test run before it begins where the agents are not installed. */
export function setup(): void {
  const missing = agentClis.filter((agent) => !existsSync(programOf(agent))).map(({ name }) => name);
  if (missing.length > 0) {
    throw new Error(`Cannot test with ${missing.join(', ')}: not installed. Run npm run agents:install`);
  }
}
