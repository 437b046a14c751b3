/** The header by which two requests are known as one that was sent twice. */
export const REPEAT_HEADER = 'Idempotency-Key';

/** A longer key is none, in characters. */
export const MAX_KEY_LENGTH = 64;
