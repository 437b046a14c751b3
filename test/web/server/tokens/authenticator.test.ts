import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { expect, it, onTestFinished, vi } from 'vitest';
import { sha256 } from '../../../../src/lib/digest.ts';
import { Authenticator } from '../../../../src/web/server/tokens/authenticator.ts';

const named = ['ben', 'cleo', 'dora'].map((name) => ({
  name,
  may: 'decide' as const,
  digest: sha256(`token-of-${name}`),
  at: '2026-11-30T00:00:00.000Z',
}));
const authenticator = new Authenticator({
  own: { token: 'token-of-ann', name: 'ann' },
  named: async () => named,
});

/** What is compared in constant time, as text, while the test runs. */
function watched(): (readonly [string, string])[] {
  const compared: (readonly [string, string])[] = [];
  const { timingSafeEqual } = crypto;
  vi.spyOn(crypto, 'timingSafeEqual').mockImplementation((one, other) => {
    compared.push([textOf(one), textOf(other)]);
    return timingSafeEqual(one, other);
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  return compared;
}

const textOf = (bytes: unknown) => (Buffer.isBuffer(bytes) ? bytes.toString('utf8') : 'no bytes');

it.each([
  ['of the same length', 'token-of-anx'],
  ['of another length', 'token'],
  ['that begins alike', 'token-of-ann-and-more'],
  ['of somebody who comes first', 'token-of-ben'],
])('a token %s is compared in constant time, by its digest, with every one', async (_, token) => {
  const compared = watched();
  const found = await authenticator.identify(`Bearer ${token}`);
  expect(found.is).toBe(token === 'token-of-ben' ? 'known' : 'unknown');
  const digests = [sha256('token-of-ann'), ...named.map(({ digest }) => digest)];
  expect(compared).toEqual(digests.map((digest) => [digest, sha256(token)]));
});

it('a token of the start is its own, also beside those that were made', async () => {
  expect(await authenticator.identify('Bearer token-of-ann')).toMatchObject({
    is: 'known',
    identity: { name: 'ann', isNamed: false },
  });
});
