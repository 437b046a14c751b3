import { z } from 'zod';
import { observation } from '../descriptor.ts';

/** Facts about the log itself. */
export const logEvents = {
  /** `bytes` bytes from `offset` were moved to the file `quarantined`, on request. */
  'log.repaired': observation({
    data: () =>
      z.strictObject({
        offset: z.int().nonnegative(),
        bytes: z.int().positive(),
        quarantined: z.string(),
      }),
    text: ({ offset, bytes }) => `${bytes} bytes from byte ${offset} were moved aside`,
  }),
};
