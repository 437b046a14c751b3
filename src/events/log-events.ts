import { z } from 'zod';

/** Facts about the log itself. */
export const logEvents = {
  /** `bytes` bytes from `offset` were moved to the file `quarantined`, on request. */
  'log.repaired': z.strictObject({
    offset: z.int().nonnegative(),
    bytes: z.int().positive(),
    quarantined: z.string(),
  }),
};
