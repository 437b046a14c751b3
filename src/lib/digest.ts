import { createHash } from 'node:crypto';
import { keysInOrder } from './json/json-value.ts';

/** SHA-256 of a text in UTF-8, or of bytes. */
export function sha256(content: string | Uint8Array, encoding: 'base64url' | 'hex' = 'base64url'): string {
  return createHash('sha256').update(content).digest(encoding);
}

/** SHA-256 of a JSON value, base64url, whatever the order of its keys. */
export function digestOf(value: unknown): string {
  return sha256(JSON.stringify(value, keysInOrder));
}
