import type { z } from 'zod';
import { spanText } from '../../lib/time/duration.ts';
import type { lostWorkerSchema } from '../field-schemas.ts';

/** Behind who takes something: from whom, if nothing was heard of that one. */
export function afterText(after: z.infer<typeof lostWorkerSchema> | undefined): string {
  return after === undefined
    ? ''
    : `, as nothing was heard of worker ${after.worker} for ${spanText(after.silentMs)}`;
}
