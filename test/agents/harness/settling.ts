import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { knownAgents } from '../../../src/runner/agents/known-agents.ts';
import type { AgentCli } from './agent-cli.ts';

/** Makes an agent use a model as `clifford doctor --approvals` does. */
export function settling(name: AgentCli['name']): AgentCli['settle'] {
  return async (home, { url }) => {
    const { files = {}, env } = knownAgents[name].atModel?.(url) ?? { env: {} };
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(home, path)), { recursive: true });
      await writeFile(join(home, path), text);
    }
    return { ...env };
  };
}
