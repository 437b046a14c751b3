/**
 * The same function, which keeps what it returned last, and returns it again where it is asked the same: each argument is
 * the one it was, or a list of the same things.
 */
export function rememberLast<Args extends readonly unknown[], Result>(
  of: (...args: Args) => Result,
): (...args: Args) => Result {
  let last: { readonly args: Args; readonly result: Result } | undefined;
  return (...args) => {
    if (!last || !isSame(args, last.args, isSameList)) last = { args, result: of(...args) };
    return last.result;
  };
}

function isSameList(one: unknown, other: unknown): boolean {
  return one === other || (Array.isArray(one) && Array.isArray(other) && isSame(one, other, Object.is));
}

function isSame(
  one: readonly unknown[],
  other: readonly unknown[],
  same: (one: unknown, other: unknown) => boolean,
): boolean {
  return one.length === other.length && one.every((each, at) => same(each, other[at]));
}
