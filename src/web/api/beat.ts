/** A stream on which nothing happens says so this often, in ms: a reader that hears nothing for much longer is cut off. */
export const BEAT_EVERY_MS = 5_000;
