import { apiHeaders } from './guards/security-headers.ts';
import { Refusal, type RefusalStatus } from './refusal.ts';

/** The answer to a request that is not done. */
export function refuse({ status, body, retryAfterS }: Refusal): Response {
  const headers = {
    ...apiHeaders,
    ...(retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) }),
    ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    // What is left of a body is not waited for, and who is one too many keeps no connection from others.
    ...(status === 413 || status === 429 || status === 503 ? { connection: 'close' } : {}),
  };
  return Response.json(body, { status, headers });
}

/** A request that is not done, and why. */
export function refusal(status: RefusalStatus, code: string, message: string, fix: string): Refusal {
  return new Refusal(status, { code, message, fix });
}
