import { existsSync } from 'node:fs';
import { z } from 'zod';
import { CliffordError } from '../../errors.ts';
import { messageOf } from '../../lib/message-of.ts';
import {
  remember,
  remembered,
  userStateFile,
  type ProjectMemory,
} from '../../workflow/project/state-home.ts';
import type { DoctorContext } from './check.ts';

const keptSchema = z.strictObject({
  /** Digest of all that the agent was tried with, its version among it. */
  of: z.string(),
  at: z.iso.datetime(),
  proof: z.discriminatedUnion('is', [
    z.strictObject({ is: z.literal('proven') }),
    z.strictObject({ is: z.literal('disproved'), why: z.string() }),
  ]),
});

/** What an agent was once seen to do, and when. */
export type KeptProof = z.infer<typeof keptSchema>;

/**
 * What `clifford doctor --approvals` saw of an executable: `clifford/approvals.json` in the state folder of the user, where
 * its path stands in place of a project's.
 *
 * To be shown, and for nothing else: an agent could write the file. What a run allows does not depend on it.
 *
 * @param of - What it has to be a proof of. `undefined`: whatever it is of.
 */
export async function keptProof(
  { env }: Pick<DoctorContext, 'env'>,
  file: string,
  of?: string,
): Promise<KeptProof | undefined> {
  const memory = memoryOf(env);
  // One that cannot be read is as none: it is tried again.
  const kept = memory && (await remembered(memory, file).catch(() => undefined));
  return of === undefined || kept?.of === of ? kept : undefined;
}

/** Whether anything was ever seen of any. */
export function areProofsKept({ env }: Pick<DoctorContext, 'env'>): boolean {
  const memory = memoryOf(env);
  return memory !== undefined && existsSync(memory.file);
}

/** Keeps it for the next time. Returns why that could not be done. */
export async function keepProof(
  { env }: Pick<DoctorContext, 'env'>,
  file: string,
  proof: KeptProof,
): Promise<string | undefined> {
  const memory = memoryOf(env);
  if (!memory) return 'neither HOME nor XDG_STATE_HOME is set';
  return remember(memory, file, () => proof).then(() => undefined, messageOf);
}

function memoryOf(env: DoctorContext['env']): ProjectMemory<KeptProof> | undefined {
  const file = userStateFile(env, 'approvals.json');
  return file === undefined ? undefined : { file, schema: keptSchema, unreadable };
}

function unreadable(file: string, reason: string): CliffordError {
  return new CliffordError(`Cannot read ${file}: ${reason}`, {
    code: 'APPROVALS_UNREADABLE',
    fix: 'Remove it',
  });
}
