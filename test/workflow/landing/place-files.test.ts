import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { placeFiles } from '../../../src/workflow/landing/place-files.ts';
import { seenFiles } from '../../../src/workflow/landing/work-tree.ts';
import { tempRoot } from '../../helpers/temp-project.ts';

it('thousands of files are placed in many turns: who has one in between can change what is not placed yet, and that stays', async () => {
  const root = await tempRoot();
  const [top, files] = [join(root, 'top'), join(root, 'files')];
  const changes = Array.from({ length: 3_000 }, (_, at) => ({
    path: `${at}.txt`,
    oldMode: '100644',
    oldId: '1',
    newMode: '100644',
    newId: '2',
  }));
  for (const folder of [top, files]) {
    mkdirSync(folder);
    for (const { path } of changes) writeFileSync(join(folder, path), folder);
  }
  const placing = placeFiles({ top, files, temporary: '.tmp' }, changes, seenFiles(top, changes));
  placing.catch(() => undefined);
  await turn();
  writeFileSync(join(top, '2999.txt'), 'by hand');
  await expect(placing).rejects.toThrow('somebody has changed 2999.txt meanwhile');
  expect(readFileSync(join(top, '2999.txt'), 'utf8')).toBe('by hand');
  expect(readFileSync(join(top, '2998.txt'), 'utf8')).toBe(files);
});
