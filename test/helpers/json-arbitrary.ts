import fc from 'fast-check';

/** Values that JSON says exactly: unlike fast-check's own, none has a `-0`, which JSON writes as `0`. */
export function jsonValues(constraints: fc.JsonSharedConstraints = {}): fc.Arbitrary<unknown> {
  return fc.jsonValue(constraints).map((value): unknown => JSON.parse(JSON.stringify(value)));
}
