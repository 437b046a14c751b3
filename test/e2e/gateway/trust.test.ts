import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { clifford } from '../../helpers/clifford-process.ts';
import { describeOnEachEngine } from '../../helpers/each-engine.ts';
import { tempRoot } from '../../helpers/temp-project.ts';
import { allowAll, fixture, gatewayEnv, untilToolsChange } from '../../mcp/support/gateway-agent.ts';
import { servedProject } from './served-project.ts';

const untrusted = { CLIFFORD_TRUST_PROJECT: '' };

describeOnEachEngine('a project whose mcp.json nobody has trusted', () => {
  it('starts nothing, whatever command is run, until somebody does, also while an agent is there', async () => {
    const root = await tempRoot();
    const starts = join(root, 'starts');
    await writeFile(starts, '');
    const script = `require('fs').appendFileSync(${JSON.stringify(starts)}, 'x')`;
    const servers = {
      it: fixture('handy.ts'),
      notes: { command: process.execPath, args: ['-e', script], startTimeout: 1_000 },
    };
    const { client, text } = await servedProject({ servers, policy: allowAll }, { root, env: untrusted });
    const env = gatewayEnv(root, untrusted);
    const run = (...args: string[]) => clifford(['mcp', ...args], { cwd: root, env });
    const changed = untilToolsChange(client);
    const before = await client.listTools();
    expect(before.tools.filter(({ name }) => name.startsWith('mcp__'))).toEqual([]);
    expect(await text('mcp__it__echo', {})).toContain('clifford mcp trust');
    for (const command of [['list'], ['doctor'], ['inspect', 'notes'], ['call', 'notes', 'any']]) {
      const { out, err } = await run(...command);
      expect((out + err).replaceAll(/\s+/g, ' ')).toContain('clifford mcp trust');
    }
    expect(await readFile(starts, 'utf8')).toBe('');

    const { code, out } = await run('trust', '--yes');
    expect(code).toBe(0);
    // It is broken where the terminal's line ends.
    expect(out.replaceAll(/\s+/g, '')).toContain('appendFileSync');
    await changed;
    expect(await text('mcp__it__echo', { words: 'trusted' })).toBe('trusted');
    expect(await readFile(starts, 'utf8')).not.toBe('');
  });
});
