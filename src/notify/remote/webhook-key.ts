import type { Off } from '../channel.ts';

/** What a secret of the kind of Standard Webhooks begins with: behind it is the key, in base64. */
const PREFIX = 'whsec_';

/** Shortest key of that kind, in bytes. */
const LEAST_BYTES = 24;

/** The key that the secret of a webhook is: its bytes in UTF-8; of `whsec_…` the bytes that stand there in base64. */
export function webhookKey(secret: string): { readonly key: Buffer } | Off {
  if (!secret.startsWith(PREFIX)) return { key: Buffer.from(secret, 'utf8') };
  const written = secret.slice(PREFIX.length);
  const key = Buffer.from(written, 'base64');
  // Node reads of what is no base64 what it can: anybody could sign with what is left of it.
  const isWhole = key.toString('base64').replace(/=+$/, '') === written.replace(/=+$/, '');
  if (isWhole && key.length >= LEAST_BYTES) return { key };
  return { off: `its secret has no ${LEAST_BYTES} bytes in base64 behind ${PREFIX}` };
}
