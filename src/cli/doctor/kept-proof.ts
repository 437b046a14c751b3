import { existsSync } from 'node:fs';
import { z } from 'zod';
import { messageOf } from '../../lib/message-of.ts';
import { userMemory } from '../../workflow/project/user-memory.ts';
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

const memory = userMemory({
  name: 'approvals.json',
  schema: keptSchema,
  unreadable: (file, reason) => new Error(`${file} cannot be read: ${reason}. Remove it`),
  unwritable: (reason, cause) => new Error(reason, { cause }),
});

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
  // One that cannot be read is as none: it is tried again.
  const kept = await memory.read(env, file).catch(() => undefined);
  return of === undefined || kept?.of === of ? kept : undefined;
}

/** Whether anything was ever seen of any. */
export function areProofsKept({ env }: Pick<DoctorContext, 'env'>): boolean {
  const kept = memory.fileOf(env);
  return kept !== undefined && existsSync(kept);
}

/** Keeps it for the next time. Returns why that could not be done. */
export async function keepProof(
  { env }: Pick<DoctorContext, 'env'>,
  file: string,
  proof: KeptProof,
): Promise<string | undefined> {
  return memory.change(env, file, () => proof).then(() => undefined, messageOf);
}
