import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { z } from 'zod';
import { sha256 } from '../../lib/digest.ts';
import { messageOf } from '../../lib/message-of.ts';
import { identify } from '../../lib/processes/process-identity.ts';
import { ALL_PROJECTS, userMemory } from '../project/user-memory.ts';
import type { Env } from '../project/who-calls.ts';

/** Bytes of the random part. */
const RANDOM_BYTES = 16;

const memory = userMemory({
  name: 'machine-id.json',
  schema: z.string().regex(new RegExp(`^[\\da-f]{${2 * RANDOM_BYTES}}$`)),
  unreadable: (file, reason) => new Error(`${file} cannot be read: ${reason}`),
  unwritable: (reason, cause) => new Error(reason, { cause }),
});

/**
 * What tells this machine from others, in hexadecimal digits: the same for all workers of this user's on it, also once
 * it was started anew. It is of what is random in `machine-id.json` of the state folder, made when it is first needed,
 * and of the host's name: a home may be that of several machines, and containers of one host have names of their own.
 *
 * @returns `problem`: why nothing can be kept. Then it holds until the machine is started anew.
 */
export async function machineId(
  env: Env,
  host = hostname(),
): Promise<{ readonly id: string; readonly problem?: string }> {
  const idOf = (own: string) => sha256(`${own} ${host}`, 'hex');
  try {
    return { id: idOf(await keptRandom(env)) };
  } catch (error) {
    return { id: idOf(identify(process.pid).bootId), problem: messageOf(error) };
  }
}

async function keptRandom(env: Env): Promise<string> {
  const known = await memory.read(env, ALL_PROJECTS);
  if (known !== undefined) return known;
  // Workers of one machine are often started at once: the first one's holds.
  let kept = randomBytes(RANDOM_BYTES).toString('hex');
  await memory.change(env, ALL_PROJECTS, (before) => (kept = before ?? kept));
  return kept;
}
