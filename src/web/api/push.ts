import { z } from 'zod';

/** By what a browser knows who calls it. */
export const pushKeySchema = z.object({
  /** The public key, base64url: what a browser subscribes with. */
  key: z.string(),
});
/** See {@link pushKeySchema}. */
export type PushKey = z.infer<typeof pushKeySchema>;

/** What a browser has made of it, as its `PushSubscription` says it in JSON. */
export const pushBodySchema = z.object({
  endpoint: z.url().max(2_048),
  keys: z.object({
    p256dh: z.string().regex(/^[\w-]{86,88}$/),
    auth: z.string().regex(/^[\w-]{21,24}$/),
  }),
});

/** A browser that wants to be called no longer. */
export const pushEndBodySchema = z.strictObject({ endpoint: z.url().max(2_048) });
