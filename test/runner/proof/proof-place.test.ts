import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeProofPlace } from '../../../src/runner/proof/proof-place.ts';

async function place() {
  const made = await makeProofPlace();
  onTestFinished(made.remove);
  return { ...made, base: dirname(made.home) };
}

it('removes what was left by who was killed, and nothing that is in use', async () => {
  const long = new Date(Date.now() - 120_000);
  const used = await place();
  const left = await mkdtemp(join(await realpath(tmpdir()), 'clifford-proof-'));
  await mkdir(join(left, 'home/project'), { recursive: true });
  const fresh = await place();
  for (const each of [used.base, left]) await utimes(each, long, long);
  expect(existsSync(left)).toBe(true);
  await place();
  expect([used.base, fresh.base, left].map((each) => existsSync(each))).toEqual([true, true, false]);
});
