import { z } from 'zod';
import { sha256 } from '../../lib/digest.ts';
import { taskKeys } from '../config/config-schema.ts';
import { jsonValue } from '../../lib/json/json-value.ts';

/** What verifies the work on a task, and whether the commands stand in the task's own entry in the manifest. */
export type AttemptChecks = { readonly commands: readonly string[]; readonly areOwn: boolean };

/**
 * The variable in which a runner hands them to the processes of an attempt. The log has their digest: an agent
 * that changes the variable, or the files that say `verify`, changes nothing for its attempt.
 */
export const CHECKS_VARIABLE = 'CLIFFORD_CHECKS';

const checksSchema = z.strictObject({ commands: taskKeys.verify, areOwn: z.boolean() });

/** The checks as they are handed on, and their digest (SHA-256, base64url). */
export function packChecks({ commands, areOwn }: AttemptChecks): { text: string; digest: string } {
  // No character of it means anything to the configuration formats of agent CLIs.
  const text = Buffer.from(JSON.stringify({ commands, areOwn })).toString('base64url');
  return { text, digest: sha256(text) };
}

/** The checks with this digest that a process was handed. `undefined`: none, or others. */
export function unpackChecks(text: string | undefined, digest: string): AttemptChecks | undefined {
  if (text === undefined) return undefined;
  const checks = checksSchema.safeParse(jsonValue(Buffer.from(text, 'base64url').toString('utf8')));
  return checks.success && packChecks(checks.data).digest === digest ? checks.data : undefined;
}
