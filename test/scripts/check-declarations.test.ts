import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkDeclarations } from '../../scripts/check-declarations.ts';

describe('checkDeclarations', () => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'clifford-declarations-'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  it.each([
    ["import type { z } from 'zod';", 'zod'],
    ["export * from '@scope/pack/deep';", '@scope/pack/deep'],
    ["export declare const a: import('xstate').Snapshot<unknown>;", 'xstate'],
    ['/// <reference types="react" />', 'react'],
  ])('refuses %s when the package is bundled', async (text, specifier) => {
    await writeFile(join(directory, 'index.d.ts'), text);
    await expect(checkDeclarations(directory, ['other'])).rejects.toThrow(`index.d.ts imports ${specifier}`);
  });

  it('accepts dependencies, our own files and what Node brings', async () => {
    await writeFile(
      join(directory, 'index.d.ts'),
      `import type { z } from 'zod/v4';
      import type { P } from '@scope/pack/deep';
      import { EventEmitter } from 'node:events';
      export { CliffordError } from './errors.ts';
      /// <reference types="node" />`,
    );
    await expect(checkDeclarations(directory, ['zod', '@scope/pack'])).resolves.toBeUndefined();
  });
});
