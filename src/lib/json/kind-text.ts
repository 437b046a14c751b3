const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/** What a type of JSON Schema is called where people read it: one word for each, in all errors and pages. */
export function typeText(type: string): string {
  return kinds[type] ?? type;
}

/** What a JSON value is, in the same words. */
export function kindText(value: unknown): string {
  if (value === null) return 'null';
  return typeText(Array.isArray(value) ? 'array' : typeof value);
}
