import fc from 'fast-check';
import { jsonValues } from '../../helpers/json-arbitrary.ts';

type Schema = Readonly<Record<string, unknown>>;
type Json = Record<string, unknown>;

/** Arguments for a tool: some that its schema asks for, most of them changed in a place or two, a few of no sense. */
export function fuzzedArguments(schema: Schema): fc.Arbitrary<Json> {
  const fitting = valueOf(schema).map(asObject);
  const changed = fc
    .tuple(fitting, fc.array(change, { minLength: 1, maxLength: 3 }))
    .map(([args, changes]) => changes.reduce(applied, args));
  const senseless = fc.dictionary(name, jsonValues({ maxDepth: 3 }), { maxKeys: 5 }).map(asObject);
  return fc.oneof(
    { weight: 3, arbitrary: fitting },
    { weight: 6, arbitrary: changed },
    { weight: 1, arbitrary: senseless },
  );
}

/** Values that a schema asks for, as far as the few keywords go that schemas of tools have. */
function valueOf(schema: Schema): fc.Arbitrary<unknown> {
  const { type, enum: allowed, const: only, anyOf, minimum, maximum, minItems, pattern } = schema;
  if (only !== undefined) return fc.constant(only);
  if (Array.isArray(allowed)) return fc.constantFrom(...(allowed as unknown[]));
  if (Array.isArray(anyOf)) return fc.oneof(...(anyOf as Schema[]).map(valueOf));
  const min = typeof minimum === 'number' ? minimum : undefined;
  const max = typeof maximum === 'number' ? maximum : undefined;
  switch (type) {
    case 'object':
      return objectOf(schema);
    case 'array':
      return fc.array(valueOf(asObject(schema['items'])), { minLength: Number(minItems ?? 0), maxLength: 4 });
    case 'string':
      return typeof pattern === 'string' ? fc.stringMatching(new RegExp(pattern)) : text;
    case 'integer':
      return fc.integer({ min: min ?? -100, max: max ?? 100 });
    case 'number':
      return fc.oneof(
        fc.double({ min: min ?? -100, max: max ?? 100, noNaN: true, noDefaultInfinity: true }),
        fc.constant(Math.max(min ?? 0, 0)),
      );
    case 'boolean':
      return fc.boolean();
    default:
      return jsonValues({ maxDepth: 2 });
  }
}

function objectOf({ properties, required }: Schema): fc.Arbitrary<unknown> {
  const fields = Object.entries(asObject(properties)).map(
    ([key, schema]) => [key, valueOf(asObject(schema))] as const,
  );
  const requiredKeys = Array.isArray(required) ? (required as string[]) : [];
  return fc.record(Object.fromEntries(fields), { requiredKeys, noNullPrototype: true });
}

const text = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 10 }),
  fc.constantFrom(
    'notes.txt',
    '../../etc/passwd',
    '/etc/shadow',
    'a\u0000b',
    '\u202egnp.exe',
    '\u001b[2J',
    '\ud800',
    "'; DROP TABLE",
    '${HOME}',
    'secret.txt',
    './secret/../secret',
  ),
);

/** Names of fields, those that objects have by themselves among them. */
const name = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.constantFrom(
    'path',
    '__proto__',
    'constructor',
    'toString',
    '',
    ' ',
    'a.b',
    'a[0]',
    'ü',
    'x'.repeat(300),
  ),
);

/** What is done to arguments: where (each number chooses a child on the way down), and what. */
type Change = {
  readonly way: readonly number[];
  readonly what: 'replace' | 'remove' | 'add' | 'wrap' | 'repeat';
  readonly name: string;
  readonly value: unknown;
};

const change: fc.Arbitrary<Change> = fc.record({
  way: fc.array(fc.nat({ max: 7 }), { minLength: 1, maxLength: 3 }),
  what: fc.constantFrom('replace', 'replace', 'remove', 'add', 'wrap', 'repeat'),
  name,
  value: fc.oneof(
    fc.constantFrom(null, true, 0, -1, 1.5, 1e308, '', 'secret', [], {}, [[]], 'x'.repeat(5_000)),
    text,
    jsonValues({ maxDepth: 2 }),
  ),
});

/** The arguments with a change. They stay an object, and stay as they are where there is nothing to be changed. */
function applied(args: Json, { way, ...rest }: Change): Json {
  return asObject(changedAt(args, way, rest));
}

function changedAt(value: unknown, [step, ...way]: readonly number[], rest: Omit<Change, 'way'>): unknown {
  const isList = Array.isArray(value);
  if (!isList && (typeof value !== 'object' || value === null)) return doneTo(value, rest);
  const entries = Object.entries(value);
  const chosen = entries.length === 0 ? undefined : entries[(step ?? 0) % entries.length];
  if (rest.what === 'add' || chosen === undefined)
    return isList
      ? [...(value as unknown[]), rest.value]
      : fromEntries([...entries, [rest.name, rest.value]]);
  const [key, child] = chosen;
  const isDeeper = way.length > 0 && typeof child === 'object' && child !== null;
  const isRemoved = rest.what === 'remove' && !isDeeper;
  const next = entries.flatMap((entry): [string, unknown][] => {
    if (entry[0] !== key) return [entry];
    if (isRemoved) return [];
    return [[key, isDeeper ? changedAt(child, way, rest) : doneTo(child, rest)]];
  });
  return isList ? next.map(([, each]) => each) : fromEntries(next);
}

function doneTo(value: unknown, { what, value: other }: Omit<Change, 'way'>): unknown {
  if (what === 'wrap') return [value];
  return what === 'repeat' ? [value, value, value] : other;
}

/** As JSON has it: a field may be called `__proto__`. */
function fromEntries(entries: readonly (readonly [string, unknown])[]): Json {
  return JSON.parse(
    `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value ?? null)}`).join(',')}}`,
  ) as Json;
}

function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}
