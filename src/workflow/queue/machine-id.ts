import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { sha256 } from '../../lib/digest.ts';
import { withLock } from '../../lib/files/kernel-lock.ts';
import { realPathToBe } from '../../lib/files/real-path.ts';
import { readSmallFile } from '../../lib/files/small-file.ts';
import { writeAtomically } from '../../lib/files/write-atomically.ts';
import { messageOf } from '../../lib/message-of.ts';
import { identify } from '../../lib/processes/process-identity.ts';
import { userStateFile } from '../project/state-home.ts';
import type { Env } from '../project/who-calls.ts';

/** Bytes of the random part. */
const RANDOM_BYTES = 16;
const WRITTEN = new RegExp(`^[\\da-f]{${2 * RANDOM_BYTES}}\\n$`);

/**
 * What tells this machine from others, in hexadecimal digits: the same for all workers of this user's on it, also once it was started anew. It is
 * of what is random in `machine-id` of the state folder, made when it is first needed, and of the host's name: a home may be that of several
 * machines, and containers of one host have names of their own.
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
  const file = userStateFile(env, 'machine-id');
  if (file === undefined) throw new Error('neither HOME nor XDG_STATE_HOME is set');
  const known = await read(file);
  if (known !== undefined) return known;
  // Workers of one machine are often started at once.
  return withLock(join(realPathToBe(dirname(file)), `${basename(file)}.lock`), async () => {
    const before = await read(file);
    if (before !== undefined) return before;
    const made = `${randomBytes(RANDOM_BYTES).toString('hex')}\n`;
    await writeAtomically(file, made);
    return made;
  });
}

async function read(file: string): Promise<string | undefined> {
  const bytes = await readSmallFile(file);
  if (bytes === undefined) return undefined;
  if ('refused' in bytes) throw new Error(`${file} cannot be read: ${bytes.refused}`);
  const text = bytes.toString('utf8');
  if (!WRITTEN.test(text)) throw new Error(`${file} is not what Clifford writes`);
  return text;
}
