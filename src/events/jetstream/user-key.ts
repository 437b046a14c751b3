import { nkeys } from '@nats-io/transport-node';

/** A key of a user: the server knows the public half, and the seed stays with the user. */
export type UserKey = { readonly seed: string; readonly publicKey: string };

/** A new key. */
export function newUserKey(): UserKey {
  const key = nkeys.createUser();
  return { seed: Buffer.from(key.getSeed()).toString('ascii'), publicKey: key.getPublicKey() };
}

/** The public half of a seed; `undefined`: it is none of a user. */
export function publicKeyOf(seed: string): string | undefined {
  try {
    const publicKey = nkeys.fromSeed(Buffer.from(seed.trim())).getPublicKey();
    return publicKey.startsWith('U') ? publicKey : undefined;
  } catch {
    // What else would be wrong with it than that?
    return undefined;
  }
}
