import { z } from 'zod';
import { observation } from '../descriptor.ts';

/** Facts about the log itself. */
export const logEvents = {
  /** `bytes` bytes from `offset`, which a crash left of an append, were moved to `quarantined`, a path beside the log. */
  'log.repaired': observation({
    data: () =>
      z.strictObject({
        offset: z.int().nonnegative(),
        bytes: z.int().positive(),
        quarantined: z.string(),
      }),
    text: ({ offset, bytes, quarantined }) =>
      `${bytes} bytes that a crash left from byte ${offset} on were moved to ${quarantined}`,
  }),
};
