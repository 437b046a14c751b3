import { z } from 'zod';
import { observation } from '../descriptor.ts';
import { nameSchema, textSchema } from '../field-schemas.ts';

/** Facts about the MCP servers behind the gateway. */
export const serverEvents = {
  /** `name` and `version` are what it calls itself, `protocol` the version of MCP it speaks. */
  'server.connected': observation({
    data: () =>
      z.strictObject({
        server: nameSchema,
        name: z.string(),
        version: z.string(),
        protocol: z.string(),
      }),
    text: ({ server, name, version }) => `${server}: ${name} ${version}`,
  }),
  /** It ended, or could not be started. */
  'server.lost': observation({
    data: () => z.strictObject({ server: nameSchema, reason: textSchema }),
    text: ({ server, reason }) => `${server}: ${reason}`,
  }),
};
