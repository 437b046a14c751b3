import { z } from 'zod';
import { sprintIdSchema } from './fields.ts';

/** What the path names. */
export const questionParams = z.object({ id: z.string().min(1).max(512) });
/** See {@link questionParams}. */
export const sprintParams = z.object({ id: sprintIdSchema });

/** It names nothing that there is. */
export const unknown = { 404: { about: 'There is none' } };
