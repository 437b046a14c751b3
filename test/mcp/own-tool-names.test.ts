import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { expect, it } from 'vitest';
import { ownTools } from '../../src/mcp/tools/own-tools.ts';
import { ownToolNames } from '../../src/workflow/project/own-tools.ts';

const root = join(import.meta.dirname, '../..');
const name = new RegExp(`\\b(?:${ownToolNames.join('|')})\\b`);

it('the tools that agents are told of are the tools that the server lists, in the same order', () => {
  expect(ownTools.map((tool) => tool.name)).toEqual(ownToolNames);
});

it('every text that names a tool of Clifford’s takes the name from one place', async () => {
  const found: string[] = [];
  for await (const file of glob('src/**/*.{ts,tsx}', { cwd: root })) {
    const text = await readFile(join(root, file), 'utf8');
    if (!name.test(text) || file === join('src', 'workflow', 'project', 'own-tools.ts')) continue;
    // Comments may name it: nobody is told them.
    const say = (said: unknown) => {
      if (typeof said === 'string' && name.test(said)) found.push(`${file}: ${said}`);
    };
    new Visitor({
      Literal: ({ value }) => say(value),
      TemplateElement: ({ value }) => say(value.raw),
      JSXText: ({ value }) => say(value),
    }).visit(parseSync(file, text).program);
  }
  expect(found).toEqual([]);
});

it('docs/configuration.md lists each as a mark of the prompt, and docs/mcp.md has a section on each', async () => {
  const [configuration, mcp] = await Promise.all(
    ['configuration', 'mcp'].map((page) => readFile(join(root, `docs/${page}.md`), 'utf8')),
  );
  for (const each of ownToolNames) {
    expect(configuration).toContain(`\`{${each}}\``);
    expect(mcp).toMatch(new RegExp(`^#+ .*\\b${each}\\b`, 'm'));
  }
});
