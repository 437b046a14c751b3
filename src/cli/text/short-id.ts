import type { RequestView } from '../../views/requests/describe-request.ts';

/** Up to here an id of Clifford's is the millisecond it was made in: `q-019a1b2c-3d4e`. */
const LEAST_LENGTH = 15;

/** The shortest beginning of an id that none of the others has, and long enough to stay unique. */
export function shortId(id: string, others: readonly string[]): string {
  const shared = others.map((other) => (other === id ? 0 : sharedLength(id, other)));
  return id.slice(0, Math.max(LEAST_LENGTH, ...shared.map((length) => length + 1)));
}

/** What people call an open question. A call has its whole id: by no other name is it allowed without a second look. */
export function requestName(
  { id, approval }: Pick<RequestView, 'id' | 'approval'>,
  open: readonly string[],
): string {
  return approval ? id : shortId(id, open);
}

function sharedLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}
