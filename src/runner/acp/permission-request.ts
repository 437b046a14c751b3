import { z } from 'zod';
import { acpCallSchema } from './acp-call.ts';

/**
 * What an agent asks permission with, as it says it. The SDK would hand over what the protocol knows of it, and leave out the rest,
 * parts of a change that are not as they have to be among it.
 */
export const permissionRequestSchema = z.looseObject({
  sessionId: z.string(),
  toolCall: acpCallSchema,
  options: z.array(
    z.looseObject({
      optionId: z.string(),
      name: z.string(),
      kind: z.enum(['allow_once', 'allow_always', 'reject_once', 'reject_always']).catch('reject_once'),
    }),
  ),
});

/** See {@link permissionRequestSchema}. */
export type PermissionRequest = z.infer<typeof permissionRequestSchema>;
