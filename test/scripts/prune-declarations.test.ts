import { glob, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { pruneDeclarations } from '../../scripts/prune-declarations.ts';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clifford-declarations-'));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

it('keeps what the entry reaches, and removes the rest', async () => {
  const files = {
    'index.d.ts': `export { A } from './a/a.ts';\nexport type { B } from "./b.js";\n`,
    'a/a.d.ts': `import type { Deep } from '../deep/deep.tsx';\nexport declare class A {}\n`,
    'b.d.ts': `export type B = import('./c.ts').C;\n`,
    'c.d.ts': `import type { B } from './b.ts';\nexport type C = { b: B };\n`,
    'deep/deep.d.ts': `export type Deep = string;\n`,
    'inside.d.ts': `import type { z } from 'zod';\nexport type Inside = z.ZodType;\n`,
    'a/inside.d.ts': `export {};\n`,
  };
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, file)), { recursive: true });
    await writeFile(join(directory, file), text);
  }

  await pruneDeclarations(directory, 'index.d.ts');

  const left = await Array.fromAsync(glob('**/*.d.ts', { cwd: directory }));
  expect(left.toSorted()).toEqual(['a/a.d.ts', 'b.d.ts', 'c.d.ts', 'deep/deep.d.ts', 'index.d.ts']);
});
