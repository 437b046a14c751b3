import { z } from 'zod';

/**
 * The id of an agent CLI's session. What an agent prints, and what stands in a log, becomes an argument of its command
 * line when the session is gone on with: it may be no flag, no path that leads elsewhere, and no second argument.
 */
const sessionIdSchema = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,511}$/);

/** Whether a text can be such an id. */
export function isSessionId(text: string): boolean {
  return sessionIdSchema.safeParse(text).success;
}
