import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

/** A request as the server of this process has it. */
export type ServedRequest = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly server: Server;
};

/** Tells of each request that a server of this process gets, until the test is finished. */
export function onServedRequest(tell: (served: ServedRequest) => void): void {
  const channel = 'http.server.request.start';
  const listener = (message: unknown) => tell(message as ServedRequest);
  subscribe(channel, listener);
  onTestFinished(() => void unsubscribe(channel, listener));
}
