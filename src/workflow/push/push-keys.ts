import { createECDH } from 'node:crypto';
import { z } from 'zod';
import { CliffordError } from '../../errors.ts';
import { remember, remembered, userStateFile, type ProjectMemory } from '../project/state-home.ts';
import type { Env } from '../project/who-calls.ts';

/** By which push services know that all messages are of one sender (VAPID): a key pair on the curve P-256, base64url. */
export type PushKeys = z.infer<typeof keysSchema>;

const keysSchema = z.strictObject({ publicKey: z.string(), privateKey: z.string() });

/** One pair for all projects: pages of several may come from one address, and a browser takes one key for each. */
const ALL = '*';

/**
 * The keys of this user, made when they are first needed, in `web-push-keys.json` of the state folder (0600).
 *
 * @throws {CliffordError} `PUSH_UNREADABLE`, `PUSH_UNWRITABLE`.
 */
export async function pushKeys(env: Env): Promise<PushKeys> {
  const memory = memoryOf(env);
  const known = await remembered(memory, ALL);
  if (known) return known;
  let keys = newKeys();
  await remember(memory, ALL, (before) => (keys = before ?? keys));
  return keys;
}

function newKeys(): PushKeys {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  // Of a number that begins with zeros Node returns fewer bytes.
  const privateKey = Buffer.concat([Buffer.alloc(32), pair.getPrivateKey()]).subarray(-32);
  return { publicKey: pair.getPublicKey('base64url'), privateKey: privateKey.toString('base64url') };
}

function memoryOf(env: Env): ProjectMemory<PushKeys> {
  const file = userStateFile(env, 'web-push-keys.json');
  if (file === undefined) throw noStateFolder();
  return { file, schema: keysSchema, unreadable: pushUnreadable };
}

/** Nothing of this user's can be kept. */
export function noStateFolder(): CliffordError {
  return new CliffordError(
    'Cannot remember browsers that want to be notified: neither HOME nor XDG_STATE_HOME is set',
    {
      code: 'PUSH_UNWRITABLE',
      fix: 'Set HOME or XDG_STATE_HOME to a folder you can write',
    },
  );
}

export function pushUnreadable(file: string, reason: string): CliffordError {
  return new CliffordError(`Cannot read ${file}: ${reason}`, {
    code: 'PUSH_UNREADABLE',
    fix: 'Remove it, and switch notifications on again in each browser',
  });
}
