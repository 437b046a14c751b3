import type { ModelRequest } from './conversation.ts';
import type { Reply } from './reply.ts';
import type { Failure } from './script.ts';

/** One message of a stream of server-sent events. A string goes out as it is, anything else as JSON. */
export type ServerEvent = { readonly event?: string; readonly data: unknown };

/** An answer with a status of its own. */
export type Refusal = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
};

/** How one family of providers speaks. */
export type Protocol = {
  readonly name: 'chat' | 'responses' | 'messages' | 'generate-content';
  /** The paths it answers, without the query. */
  readonly path: RegExp;
  /** A path that only counts tokens, and what it answers. */
  readonly counts?: { readonly path: RegExp; readonly body: unknown };
  /**
   * Reads a request.
   *
   * @throws {ZodError} when the body is not one of this protocol.
   */
  readonly read: (body: unknown, path: string) => ModelRequest;
  readonly json: (reply: Reply) => unknown;
  readonly events: (reply: Reply) => readonly ServerEvent[];
  readonly refuse: (failure: Failure) => Refusal;
};

/** The status a provider answers a failure with. Only Anthropic has 529. */
export const statuses: Readonly<Record<Failure['kind'], number>> = {
  'usage-limit': 429,
  'rate-limit': 429,
  unauthorized: 401,
  'server-error': 500,
  overloaded: 503,
};

/** `retry-after`, where the failure has it. */
export function retryAfter({ retryAfterS }: Failure): Record<string, string> {
  return retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) };
}
