import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Refusal, ServerEvent } from './protocol.ts';

/** Answers with JSON. */
export function writeJson(response: ServerResponse, { status, headers, body }: Refusal): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** Answers with a stream of events, with a pause before each if one is wanted. */
export async function writeEvents(
  response: ServerResponse,
  events: readonly ServerEvent[],
  paceMs: number,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  for (const { event, data } of events) {
    if (paceMs > 0) await pause(paceMs);
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    response.write(`${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`);
  }
  response.end();
}
