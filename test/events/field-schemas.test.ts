import fc from 'fast-check';
import { jsonValues } from '../helpers/json-arbitrary.ts';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { jsonSchema } from '../../src/events/field-schemas.ts';

it('takes the values that zod takes for JSON, and leaves them as they are', () => {
  const odd = fc.constantFrom(NaN, Infinity, undefined, new Date(0), new Map(), [undefined], Symbol('s'), 1n);
  const value = fc.oneof(jsonValues(), fc.anything(), odd, fc.array(odd), fc.dictionary(fc.string(), odd));
  fc.assert(
    fc.property(value, (json) => {
      const parsed = jsonSchema.safeParse(json);
      expect(parsed.success).toBe(z.json().safeParse(json).success);
      expect(parsed.success ? parsed.data : json).toBe(json);
    }),
  );
});
