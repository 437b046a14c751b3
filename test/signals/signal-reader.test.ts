import { stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { SignalReader } from '../../src/signals/signal-reader.ts';
import { tempRoot } from '../helpers/temp-project.ts';

it('reads a file anew that was written over, with the same length and the time of before', async () => {
  const path = join(await tempRoot(), 'x.json');
  await writeFile(path, '{"a":1}');
  const { atime, mtime, ctimeMs } = await stat(path);
  // Until then it is read again at every look.
  await expect.poll(() => Date.now() - ctimeMs, { timeout: 15_000 }).toBeGreaterThan(500);
  const reader = new SignalReader();
  const schema = z.object({ a: z.number() });
  expect(reader.read(path, schema)).toMatchObject({ state: 'good', value: { a: 1 } });
  expect(reader.read(path, schema)).toMatchObject({ state: 'good', value: { a: 1 } });
  expect(reader.read(path, z.object({ a: z.string() }))).toMatchObject({ state: 'bad' });
  await writeFile(path, '{"a":2}');
  await utimes(path, atime, mtime);
  expect(reader.read(path, schema)).toMatchObject({ state: 'good', value: { a: 2 } });
});
