import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

/** The way to a server. Like the SDK's transports, and it can say why it ended. */
export type ServerTransport = Transport & {
  /** Once it ended by itself: why, as a clause. `it exited with code 3` */
  readonly ending: string | undefined;
  /** The last the server said beside the protocol, if anything. */
  readonly lastWords: () => string;
  /** What may keep it from answering at all, as a clause, if anything is known. */
  readonly startHint?: string | undefined;
};
