import { createHash } from 'node:crypto';

/** JSON text of a JSON value that does not depend on the order of keys. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) => inOrder(each));
}

/** SHA-256 of a JSON value, base64url, whatever the order of its keys. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('base64url');
}

/** Keys in the order of their UTF-16 units; JavaScript itself puts the ones that are array indices first. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries);
}
