import { createHash } from 'node:crypto';
import { keysInOrder } from '../../lib/json/json-value.ts';

/** SHA-256 of a JSON value, base64url, whatever the order of its keys. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value, keysInOrder)).digest('base64url');
}
