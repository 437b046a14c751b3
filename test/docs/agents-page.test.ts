import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentsPage, readResults } from '../../scripts/agents-table.ts';
import { knownAgents } from '../../src/runner/agents/known-agents.ts';
import { agentClis } from '../agents/harness/agent-clis.ts';

describe('what docs/agents.md says that agents can do', () => {
  it('is what npm run docs makes of the recorded results', async () => {
    expect(await agentsPage()).toBe(
      await readFile(join(import.meta.dirname, '../../docs/agents.md'), 'utf8'),
    );
  });
});

describe.each(agentClis)('$name', ({ name, packageName, acpPackage }) => {
  const { acp, supported } = knownAgents[name];

  it('counts as tested over ACP in the version that the results are of', async () => {
    const { versions } = await readResults();
    expect(acp?.tested.at(-1)).toBe(versions[packageName]);
    expect(acp?.tested[0]).toBe(supported.from);
    expect(acp?.program?.tested.at(-1)).toBe(acpPackage === undefined ? undefined : versions[acpPackage]);
  });

  it.skipIf(acp?.flaw !== undefined)(
    'is spoken with over ACP by default, as all that was tried with it works',
    async () => {
      const { tests } = await readResults();
      const results = Object.entries(tests).flatMap(([title, ways]) => {
        const passed = ways[`${name} acp`];
        return passed === undefined ? [] : [[title, passed] as const];
      });
      expect(results.filter(([, passed]) => !passed)).toEqual([]);
      expect(results.map(([title]) => title)).toEqual(
        expect.arrayContaining([
          'runs a command once a human has allowed it, not one that was denied, and no edit that the policy refuses',
          'works through two tasks, and asks a human in between',
          'does not burn an attempt when the plan is used up',
        ]),
      );
    },
  );
});
