import { z } from 'zod';

/** That somebody uses the page: nothing else is to be said. */
export const lookingBodySchema = z.strictObject({});

/** It was noted. */
export const lookingSchema = z.object({});
