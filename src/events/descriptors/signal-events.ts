import { z } from 'zod';
import { observation } from '../descriptor.ts';
import { nameSchema, textSchema } from '../field-schemas.ts';

/** Facts about files other programs write for us. */
export const signalEvents = {
  /** `digest` is the base64url SHA-256 of the file's bytes. */
  'signal.received': observation({
    data: () => z.strictObject({ file: z.string(), kind: nameSchema, digest: z.string() }),
    text: ({ kind, file }) => `${kind} in ${file}`,
  }),
  'signal.rejected': observation({
    data: () => z.strictObject({ file: z.string(), reason: textSchema }),
    text: ({ file, reason }) => `${file}: ${reason}`,
  }),
};
