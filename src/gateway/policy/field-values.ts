/** Where some have a field and others lack it, what those have that lack it: nothing that JSON has. */
const LACKING = undefined;

/**
 * What stands in the arguments under a path of fields: `options.path`, `files.0`, `edits.path` (of every element
 * of the list `edits`), `headers.*` (of every field). A dot that belongs to a name is written `\.`.
 *
 * @returns nothing where there is no such field, one value as a rule, several where the path leads through lists;
 * `undefined` for each element of a list that lacks the field.
 */
export function valuesAt(args: unknown, path: string): unknown[] {
  return stepsOf(path).reduce<unknown[]>(
    (values, step) =>
      values.length > 1 ? eachUnder(values, step) : values.flatMap((value) => under(value, step)),
    [args],
  );
}

/** The values with every list among them replaced by its elements, however deep. */
export function elementsOf(values: readonly unknown[]): unknown[] {
  const elements: unknown[] = [];
  const waiting = [...values].reverse();
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (!Array.isArray(value)) elements.push(value);
    else for (const element of value.toReversed() as unknown[]) waiting.push(element);
  }
  return elements;
}

function stepsOf(path: string): string[] {
  return (path.match(/(?:\\.|[^.\\]|\\$)+/gs) ?? []).map((step) => step.replaceAll(String.raw`\.`, '.'));
}

function under(value: unknown, step: string): unknown[] {
  if (Array.isArray(value)) {
    if (step === '*') return value as unknown[];
    if (/^\d+$/.test(step)) return Number(step) < value.length ? [value[Number(step)] as unknown] : [];
    return eachUnder(value, step);
  }
  if (typeof value !== 'object' || value === null) return [];
  if (step === '*') return Object.values(value);
  return Object.hasOwn(value, step) ? [(value as Record<string, unknown>)[step]] : [];
}

function eachUnder(values: readonly unknown[], step: string): unknown[] {
  return values.flatMap((value) => {
    const found = under(value, step);
    return found.length === 0 ? [LACKING] : found;
  });
}
