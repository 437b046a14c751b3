import type { SessionPlace } from '../../gateway/call/session-place.ts';

/** What lives beside a server, and ends with it. */
export type Companion = { readonly stop: () => Promise<void> };

/** Starts a companion. Its problems are reported like the server's own. */
export type StartCompanion = (place: SessionPlace) => Companion | Promise<Companion>;
