import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MAX_DESCRIPTION_LENGTH } from '../../src/gateway/tools/tool-listing.ts';
import { PolicyGate } from '../../src/gateway/policy/policy-gate.ts';
import { readMcpJson } from '../helpers/mcp-json.ts';

const page = await readFile(join(import.meta.dirname, '../../docs/policy.md'), 'utf8');
const [, example = ''] = /^```json\n([\s\S]*?)^```/m.exec(page) ?? [];

/** The rows of the table of calls. */
const rows = [...page.matchAll(/^\| `(\w+)` `(\w+)` `(\{.*?\})` +\| `(\w+)` +\| `(.+?)` +\|$/gm)].map(
  ([, serverId = '', toolName = '', args = '', decision = '', rule = '']) => ({
    serverId,
    toolName,
    args,
    decision,
    rule,
  }),
);

describe('docs/policy.md', () => {
  it('has an example without a mistake', async () => {
    expect(await readMcpJson(example)).toMatchObject({ exists: true, problems: [], warnings: [] });
  });

  it('says of every call in its table what becomes of it', async () => {
    expect(rows).toHaveLength(8);
    const { policy } = await readMcpJson(example);
    const gate = new PolicyGate(policy, [], { root: '/project' });
    for (const { serverId, toolName, args, decision, rule } of rows) {
      const judged = gate.check({ serverId, toolName, args: JSON.parse(args) });
      expect(judged, `${serverId} ${toolName} ${args}`).toMatchObject({ decision, rule });
    }
  });

  it('names the length at which a description ends', () => {
    expect(page).toContain(`${MAX_DESCRIPTION_LENGTH.toLocaleString('en')} characters`);
  });
});
