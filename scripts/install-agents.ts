// Installs the command lines of real agents, in the versions test/agents/package-lock.json pins, for npm run
// test:agents: about 2.2 GB in test/agents/node_modules. Does nothing where they are there.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { agentClis } from '../test/agents/harness/agent-clis.ts';
import { programOf } from '../test/agents/harness/installed.ts';
import { installPinned } from './install-pinned.ts';

const folder = join(import.meta.dirname, '../test/agents');
/** The machine may be slow, and so may the network. */
const limitMs = 15 * 60_000;

try {
  const installed = await installPinned(folder, { limitMs });
  // Two of them are put in place by their install scripts.
  const missing = agentClis.map(programOf).filter((program) => !existsSync(program));
  if (missing.length > 0) {
    throw new Error(
      `Cannot use ${missing.join(', ')}: their install scripts did not run. Remove test/agents/node_modules, ` +
        'see that npm config get ignore-scripts says false, and install again',
    );
  }
  console.log(installed ? 'The agents are installed in test/agents/node_modules' : 'The agents are there');
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
