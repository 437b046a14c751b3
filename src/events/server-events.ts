import { z } from 'zod';
import { nameSchema, textSchema } from './field-schemas.ts';

/** Facts about the MCP servers behind the gateway. */
export const serverEvents = {
  /** `name` and `version` are what it calls itself, `protocol` the version of MCP it speaks. */
  'server.connected': z.strictObject({
    server: nameSchema,
    name: z.string(),
    version: z.string(),
    protocol: z.string(),
  }),
  /** It ended, or could not be started. */
  'server.lost': z.strictObject({ server: nameSchema, reason: textSchema }),
};
