import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { RequestId } from '@modelcontextprotocol/sdk/types.js';

/** The way to a server. Like the SDK's transports, and it can say why it ended. */
export type ServerTransport = Transport & {
  /** Once it ended by itself: why, as a clause. `it exited with code 3` */
  readonly ending: string | undefined;
  /** The last the server said beside the protocol, if anything. */
  readonly lastWords: () => string;
  /** What may keep it from answering at all, as a clause, if anything is known. */
  readonly startHint?: string | undefined;
  /** Where each request has a stream of its own: over HTTP. */
  readonly streams?: RequestStreams;
};

/** What can be done with one request of its own, by its id. */
export type RequestStreams = {
  /** The request that is sent next stands alone, outside of any session, and has these headers. */
  readonly standsAlone: (id: RequestId, headers: Readonly<Record<string, string>>) => void;
  /** Closes what is to bring the answer of such a request: nobody wants it any more. */
  readonly abandon: (id: RequestId) => void;
};
