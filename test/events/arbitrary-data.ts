import fc from 'fast-check';
import { jsonValues } from '../helpers/json-arbitrary.ts';
import { z } from 'zod';
import { digestsSchema, jsonSchema, streamSchema, taskIdSchema } from '../../src/events/field-schemas.ts';

/** Values that fit a schema, for the kinds of schema that events are made of. */
export function arbitraryOf(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  if (schema === jsonSchema) return jsonValues();
  if (schema === taskIdSchema) return fc.constantFrom('task-1', 'a b/ü', '1'.repeat(200));
  if (schema === digestsSchema) return fc.dictionary(fc.string(), fc.string({ minLength: 1 }));
  if (schema === streamSchema) return fc.constantFrom('sprint-1', 'adhoc');
  if (schema instanceof z.ZodISODateTime) return fc.constant('2026-01-31T12:00:00.000Z');
  if (schema instanceof z.ZodString) {
    const { minLength, maxLength } = schema;
    return fc.string({
      unit: 'grapheme',
      minLength: minLength ?? 0,
      maxLength: Math.min(maxLength ?? 20, 20),
    });
  }
  if (schema instanceof z.ZodNumber) {
    const min = Math.max(0, Math.ceil(schema.minValue ?? 0) + 1);
    return schema.format === 'safeint'
      ? fc.integer({ min })
      : fc.double({ min, noNaN: true, noDefaultInfinity: true });
  }
  if (schema instanceof z.ZodBoolean) return fc.boolean();
  if (schema instanceof z.ZodLiteral) return fc.constantFrom(...schema.values);
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options);
  if (schema instanceof z.ZodArray) {
    return fc.array(arbitraryOf(schema.element), { minLength: 1, maxLength: 3 });
  }
  if (schema instanceof z.ZodRecord) {
    // The copy that an interpreted record makes leaves `__proto__` out; a compiled schema copies nothing.
    const name = fc.string().filter((key) => key !== '__proto__');
    return fc.dictionary(name, arbitraryOf(schema.valueType));
  }
  if (schema instanceof z.ZodDiscriminatedUnion) return fc.oneof(...schema.options.map(arbitraryOf));
  if (schema instanceof z.ZodNullable) return fc.option(arbitraryOf(schema.unwrap()));
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape);
    const required = fields.filter(([, field]) => !(field instanceof z.ZodOptional)).map(([key]) => key);
    return fc.record(Object.fromEntries(fields.map(([key, field]) => [key, arbitraryOf(inner(field))])), {
      requiredKeys: required,
      noNullPrototype: true,
    });
  }
  throw new Error(`Cannot make values of schema ${schema._zod.def.type}: it is of an unknown kind`);
}

/** Changes that mostly make a value unfit: a field replaced, removed or added, at the top or one deeper. */
export const damage: fc.Arbitrary<(value: unknown) => unknown> = fc
  .tuple(
    fc.nat(),
    fc.oneof(fc.anything(), fc.constantFrom('', -1, 0.5, 2 ** 53, undefined, 'x'.repeat(70_000))),
    fc.constantFrom('replace', 'remove', 'add', 'inside', 'whole'),
  )
  .map(
    ([pick, junk, how]) =>
      (value) =>
        damaged(value, pick, junk, how),
  );

function damaged(value: unknown, pick: number, junk: unknown, how: string): unknown {
  if (how === 'whole' || typeof value !== 'object' || value === null) return junk;
  const copy: Record<string, unknown> = { ...value };
  const keys = Object.keys(copy);
  const key = keys[pick % Math.max(keys.length, 1)] ?? 'extra';
  if (how === 'remove') delete copy[key];
  else if (how === 'add') copy[`extra${pick}`] = junk;
  else copy[key] = how === 'inside' ? damaged(copy[key], pick, junk, 'replace') : junk;
  return copy;
}

function inner(field: z.core.$ZodType): z.core.$ZodType {
  return field instanceof z.ZodOptional ? field.unwrap() : field;
}
