import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { keyText, kindOf, valueKeys } from '../../src/workflow/config/config-keys.ts';
import { configSchema } from '../../src/workflow/config/config-schema.ts';
import { readConfig } from '../../src/workflow/config/load-config.ts';
import { parseManifest } from '../../src/workflow/sprint/manifest.ts';
import { configured } from '../helpers/config-files.ts';

const root = join(import.meta.dirname, '../..');
const page = await readFile(join(root, 'docs/configuration.md'), 'utf8');
const schema = JSON.parse(await readFile(join(root, 'dist/clifford.schema.json'), 'utf8')) as object;
const isValid = new Ajv({ strict: true }).compile(schema);

const examples = [...page.matchAll(/^```json\n([\s\S]*?)^```/gm)].map(([, text = '']) => text);
const isManifest = (text: string) => text.includes('"tasks"');
const configs = examples.filter((text) => !isManifest(text));

/** What a reader of JSON sees of an example with comments and trailing commas. */
const plain = (text: string): unknown =>
  JSON.parse(text.replaceAll(/^\s*\/\/.*$/gm, '').replaceAll(/,(\s*[}\]])/g, '$1'));

describe('docs/configuration.md', () => {
  it('has every key with its default', () => {
    const defaults: unknown = configSchema.parse({});
    for (const path of valueKeys(configSchema)) {
      const row = page.split('\n').find((line) => line.startsWith(`| \`${keyText(path)}\``));
      expect(row, keyText(path)).toBeDefined();
      const value = path.reduce<unknown>(
        (section, key) => z.record(z.string(), z.unknown()).parse(section)[key],
        defaults,
      );
      const cell = row?.split('|')[3]?.trim();
      expect(cell, keyText(path)).toBe(
        value === undefined ? '' : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``,
      );
    }
  });

  it('has every key of an agent', () => {
    const agents = kindOf(configSchema.shape.agents);
    const agent = agents.is === 'names' ? kindOf(agents.each) : agents;
    const keys = agent.is === 'object' ? [...agent.keys.keys()] : [];
    expect(keys).toContain('command');
    for (const key of keys)
      expect(page).toMatch(new RegExp(`^\\| \`agents\\.<name>\\.${key}(\\.<variable>)?\``, 'm'));
  });

  it('has examples that Clifford reads without a word', async () => {
    expect(configs.length).toBeGreaterThan(3);
    for (const project of configs) {
      const { source } = await configured({ project, env: { OTHER_AGENT_KEY: 'k' } });
      expect(await readConfig(source), project).toMatchObject({ problems: [], unknownKeys: [] });
    }
    for (const text of examples.filter(isManifest)) expect(parseManifest(text, 'x').tasks).toHaveLength(2);
  });
});

describe('the published JSON Schema', () => {
  it.each(configs)('accepts %s', (text) => {
    expect(isValid(plain(text)), JSON.stringify(isValid.errors)).toBe(true);
  });

  it.each([
    [{}, true],
    [{ clarification: { defaultTimeout: 0 } }, true],
    [{ maxAttempts: 0 }, false],
    [{ verify: 'make' }, false],
    [{ agents: { a: { adapter: 'codex', model: 'm' } } }, true],
    [{ agents: { a: { adapter: 'nobody' } } }, false],
    [{ maxAttemps: 3 }, false],
  ])('says of %j: %j', (config, verdict) => {
    expect(isValid(config)).toBe(verdict);
  });

  it('describes every key for an editor', () => {
    const described = JSON.stringify(schema).match(/"description":/g) ?? [];
    expect(described.length).toBeGreaterThanOrEqual(valueKeys(configSchema).length);
    expect(schema).toMatchObject({ $schema: 'http://json-schema.org/draft-07/schema#' });
  });
});
