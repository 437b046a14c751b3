import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { mcpJsonSchema } from '../../../scripts/mcp-json-schema.ts';
import { readMcpJson } from '../../helpers/mcp-json.ts';

const isValid = new Ajv({ strict: true }).compile(JSON.parse(mcpJsonSchema()) as object);

/** Whether Clifford reads it without a word. */
const isRead = async (content: object) => {
  const { problems, warnings } = await readMcpJson(content, { A: 'a' });
  return problems.length + warnings.length === 0;
};

const run = { command: 'x' };
const policy = (said: object) => ({ servers: { a: run }, policy: said });

describe('the schema of mcp.json for editors', () => {
  it.each<object>([
    {},
    { $schema: './mcp.schema.json', servers: { a: run }, mcpServers: { b: run } },
    {
      servers: { a: { ...run, args: ['${A}'], env: { B: '${A:-b}' }, cwd: '.', timeout: 1, trust: 'full' } },
    },
    {
      servers: {
        a: { url: 'https://e.com', headers: { B: 'c' }, type: 'streamable-http', allowInsecure: true },
      },
    },
    policy({ default: 'deny', allowlist: [{ server: '*', tool: '*' }], denylist: [], approvalTimeout: 5 }),
    policy({ rules: [{ tool: 'x', args: { 'b.c': { below: '/d' } }, decision: 'allow' }] }),
    policy({ rules: [{ args: { b: { equals: { c: [1, null] } } }, decision: 'deny', reason: 'no' }] }),
  ])('accepts what Clifford reads: %j', async (content) => {
    expect({ editor: isValid(content), clifford: await isRead(content) }).toEqual({
      editor: true,
      clifford: true,
    });
  });

  it.each<object>([
    { server: {} },
    { servers: { a__b: run } },
    { servers: { clifford: run } },
    { servers: { ['a'.repeat(25)]: run } },
    { servers: { a: {} } },
    { servers: { a: { ...run, url: 'https://e.com' } } },
    { servers: { a: { ...run, comand: 'y' } } },
    { servers: { a: { ...run, args: 'y' } } },
    { servers: { a: { ...run, timeout: 2 ** 31 } } },
    { servers: { a: { ...run, trust: true } } },
    policy({ default: 'ask' }),
    policy({ denylist: [{ server: 'a' }] }),
    policy({ rules: [{ server: 'a' }] }),
    policy({ rules: [{ args: { b: { glob: 'c', regex: 'd' } }, decision: 'deny' }] }),
    policy({ alowlist: [] }),
  ])('refuses what Clifford refuses or warns of: %j', async (content) => {
    expect({ editor: isValid(content), clifford: await isRead(content) }).toEqual({
      editor: false,
      clifford: false,
    });
  });
});
