import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { mcpJsonSchema } from '../../scripts/mcp-json-schema.ts';
import { policySchema, serverSchema } from '../../src/gateway/config/mcp-schema.ts';
import { readGatewaySettings } from '../../src/gateway/session/gateway-settings.ts';
import { MANAGER_LIMITS } from '../../src/gateway/server/manager-limits.ts';
import { readMcpJson } from '../helpers/mcp-json.ts';

const page = await readFile(join(import.meta.dirname, '../../docs/gateway.md'), 'utf8');
const isValid = new Ajv({ strict: true }).compile(JSON.parse(mcpJsonSchema()) as object);

/** Examples of the file; there may be others. */
const examples = [...page.matchAll(/^```json\n([\s\S]*?)^```/gm)]
  .map(([, text = '']) => text)
  .filter((text) => text.includes('"servers"') || text.includes('"policy"'));

/** The row of a table for a key. */
const rowOf = (key: string) =>
  page.split('\n').find((line) => line.startsWith('| ') && line.split('|')[1]?.includes(`\`${key}\``));

describe('docs/gateway.md', () => {
  it.each(Object.entries({ ...serverSchema.shape, ...policySchema.shape }))(
    'has the key %s with its default',
    (key, schema) => {
      const fallback: unknown = schema.safeParse(undefined).data;
      const row = rowOf(key);
      expect(row).toBeDefined();
      if (fallback === undefined) return;
      const text = typeof fallback === 'string' ? fallback : JSON.stringify(fallback);
      expect(row?.split('|')[3]?.trim()).toBe(`\`${text}\``);
    },
  );

  it('has examples that Clifford and editors read without a word', async () => {
    expect(examples.length).toBeGreaterThan(0);
    for (const text of examples) {
      const reading = await readMcpJson(text, { TICKETS_TOKEN: 'x' });
      expect(reading, text).toMatchObject({ problems: [], warnings: [] });
      const plain = text.replaceAll(/^\s*\/\/.*$/gm, '').replaceAll(/,(\s*[}\]])/g, '$1');
      expect(isValid(JSON.parse(plain)), text).toBe(true);
    }
  });

  it('names the limits that hold', async () => {
    const { pingMs, stopGraceMs, maxMessageBytes, attempts } = MANAGER_LIMITS;
    const { listWaitMs, maxResultBytes } = readGatewaySettings({ env: {}, report: () => {} });
    const words = page.replaceAll(/\s+/g, ' ');
    expect(words).toContain(`does not answer a ping within ${pingMs / 1_000} s`);
    expect(words).toContain(`its stdin ends; ${stopGraceMs / 1_000} s later the group gets SIGTERM`);
    expect(words).toContain(`a message of more than ${maxMessageBytes / 1024 ** 2} MiB`);
    expect({ attempts }).toEqual({ attempts: 5 });
    expect(words).toContain('After five attempts in a row');
    expect(words).toContain(`waits for servers that are starting, ${listWaitMs / 1_000} s at most`);
    expect(words).toContain(`more than ${maxResultBytes.toLocaleString('en')} bytes of JSON`);
  });
});
