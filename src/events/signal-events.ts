import { z } from 'zod';
import { nameSchema, textSchema } from './field-schemas.ts';

/** Facts about files other programs write for us. */
export const signalEvents = {
  /** `digest` is the base64url SHA-256 of the file's bytes. */
  'signal.received': z.strictObject({ file: z.string(), kind: nameSchema, digest: z.string() }),
  'signal.rejected': z.strictObject({ file: z.string(), reason: textSchema }),
};
