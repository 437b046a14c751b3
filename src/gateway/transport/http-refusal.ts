import { z } from 'zod';
import { BROKEN_RESPONSE } from './read-messages.ts';

/** What the SDK's transports write in front of what a server said, or instead of it. */
const OWN_WORDS =
  /^(?:Streamable HTTP error: |SSE error: )?(?:Error POSTing to endpoint(?: \(HTTP (\d+)\))?: |Non-200 status code \(\d+\))?/;

/**
 * What went wrong with a request over HTTP, as a clause: with the status and what the server said, without the words
 * of the SDK, whose error is the cause.
 */
export function httpRefusal(cause: unknown): Error {
  if (cause instanceof z.core.$ZodError) return new Error(BROKEN_RESPONSE, { cause });
  if (!(cause instanceof Error)) return new Error(String(cause), { cause });
  const [ownWords, posted] = OWN_WORDS.exec(cause.message) ?? [''];
  const words = cause.message.slice(ownWords.length);
  const status = posted === undefined ? statusOf(cause) : Number(posted);
  if (status === undefined) return new Error(words, { cause });
  return new Error(`it answered HTTP ${status}${words === '' ? '' : `: ${words}`}`, { cause });
}

/** The SDK has negative ones, too, for what is no status. */
function statusOf(error: Error): number | undefined {
  return 'code' in error && typeof error.code === 'number' && error.code > 0 ? error.code : undefined;
}
