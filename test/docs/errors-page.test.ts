import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { errorsPage } from '../../scripts/error-codes.ts';

describe('docs/errors.md', () => {
  let made = '';
  beforeAll(async () => {
    made = await errorsPage();
  });

  it('is what npm run docs makes of the sources', async () => {
    const page = await readFile(join(import.meta.dirname, '../../docs/errors.md'), 'utf8');
    expect(made).toBe(page);
  });

  it('says of every code what it says and what to do', async () => {
    const sections = made.split('\n## ').slice(1);
    expect(sections.length).toBeGreaterThan(70);
    for (const section of sections) expect(section).toMatch(/\nclifford: \S.*\n(?:clifford: .*\n)* {2}\S/);
  });
});
