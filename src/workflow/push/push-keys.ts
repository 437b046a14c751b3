import { createECDH } from 'node:crypto';
import { z } from 'zod';
import { CliffordError } from '../../errors.ts';
import { ALL_PROJECTS, userMemory } from '../project/user-memory.ts';
import type { Env } from '../project/who-calls.ts';

/** By which push services know that all messages are of one sender (VAPID): a key pair on the curve P-256, base64url. */
export type PushKeys = z.infer<typeof keysSchema>;

const keysSchema = z.strictObject({ publicKey: z.string(), privateKey: z.string() });

/** One pair for all projects: pages of several may come from one address, and a browser takes one key for each. */
const memory = userMemory({
  name: 'web-push-keys.json',
  schema: keysSchema,
  unreadable: pushUnreadable,
  unwritable: pushUnwritable,
});

/**
 * The keys of this user, made when they are first needed, in `web-push-keys.json` of the state folder (0600).
 *
 * @throws {CliffordError} `PUSH_UNREADABLE`, `PUSH_UNWRITABLE`.
 */
export async function pushKeys(env: Env): Promise<PushKeys> {
  const known = await memory.read(env, ALL_PROJECTS);
  if (known) return known;
  let keys = newKeys();
  await memory.change(env, ALL_PROJECTS, (before) => (keys = before ?? keys));
  return keys;
}

function newKeys(): PushKeys {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  // Of a number that begins with zeros Node returns fewer bytes.
  const privateKey = Buffer.concat([Buffer.alloc(32), pair.getPrivateKey()]).subarray(-32);
  return { publicKey: pair.getPublicKey('base64url'), privateKey: privateKey.toString('base64url') };
}

/** Nothing of this user's can be kept. */
export function pushUnwritable(reason: string, cause?: unknown): CliffordError {
  return new CliffordError(`Cannot remember browsers that want to be notified: ${reason}`, {
    code: 'PUSH_UNWRITABLE',
    fix: 'Set HOME or XDG_STATE_HOME to a folder you can write',
    cause,
  });
}

/** What is kept of them is not as Clifford writes it. */
export function pushUnreadable(file: string, reason: string): CliffordError {
  return new CliffordError(`Cannot read ${file}: ${reason}`, {
    code: 'PUSH_UNREADABLE',
    fix: 'Remove it, and switch notifications on again in each browser',
  });
}
