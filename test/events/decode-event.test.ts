import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { eventCatalog, isEventType } from '../../src/events/catalog.ts';
import type { EventType } from '../../src/events/catalog.ts';
import { decodeEvent, schemaOf } from '../../src/events/decode-event.ts';
import { envelopeShape } from '../../src/events/envelope.ts';
import { currentSchemaVersion } from '../../src/events/upcasters.ts';
import { arbitraryOf, damage } from './arbitrary-data.ts';
import { skipped } from './sample-events.ts';

const stored = {
  specversion: '1.0',
  ...skipped('s', 'why'),
  streamversion: 1,
  prevhash: '',
  schemaversion: 1,
};

describe('decodeEvent', () => {
  it.each<[string, unknown, string]>([
    ['null', null, 'expected an object'],
    ['an array', [], 'expected an object'],
    ['no type', { ...stored, type: undefined }, 'expected a type'],
    ['version 0', { ...stored, schemaversion: 0 }, 'expected a positive schemaversion'],
    ['half a version', { ...stored, schemaversion: 1.5 }, 'expected a positive schemaversion'],
    ['another specversion', { ...stored, specversion: '2.0' }, 'specversion'],
  ])('refuses %s and says why', (_, json, reason) => {
    expect(() => decodeEvent(json)).toThrow(reason);
    expect(() => decodeEvent(json)).toThrow(expect.objectContaining({ code: 'EVENT_INVALID' }));
  });

  it('brings old data to the current version, step by step, and checks the outcome', () => {
    const table = {
      'task.skipped': [
        (data: unknown) => ({ who: (data as { name: string }).name }),
        (data: unknown) => ({ by: (data as { who: string }).who }),
      ],
    };
    const first = { ...stored, data: { name: 'ann' } };
    expect(decodeEvent(first, table)).toEqual({ ...stored, schemaversion: 3, data: { by: 'ann' } });
    const second = { ...stored, schemaversion: 2, data: { who: 'bob' } };
    expect(decodeEvent(second, table)).toEqual({ ...stored, schemaversion: 3, data: { by: 'bob' } });
    expect(() => decodeEvent({ ...first, data: { name: '' } }, table)).toThrow('by');
    expect(() => decodeEvent({ ...stored, schemaversion: 4 }, table)).toThrow('newer Clifford');
  });
});

describe('policy.ruleadded of version 1, which named no definition', () => {
  const line = { ...stored, type: 'policy.ruleadded', subject: 's' };

  it.each([
    [
      { server: 'files', tool: '*', allow: true },
      { server: 'files', tool: '*' },
    ],
    [
      { tool: '', server: 7 },
      { server: '*', tool: '*' },
    ],
  ])('is read as a rule that fits none: %j', (rule, named) => {
    expect(decodeEvent({ ...line, data: { rule, by: 'ann' } })).toMatchObject({
      schemaversion: 2,
      data: { ...named, ruleId: 'version-1', definitionDigest: '', scope: { kind: 'always' }, by: 'ann' },
    });
  });
});

describe('schemaOf', () => {
  const interpreted = (type: EventType) =>
    z.strictObject({ ...envelopeShape, type: z.literal(type), data: eventCatalog[type].data });
  const types = Object.keys(eventCatalog).filter(isEventType);

  const values: unknown[] = [undefined, null, '', 'x', 0, -1, 1.5, 2 ** 53, '1.0', true, {}, []];
  const changes = Object.keys(stored).flatMap((key) => values.map((value) => [key, value] as const));
  const subtle: [string, unknown][] = [
    ['subject', 's/'],
    ['subject', 's/a/b'],
    ['subject', 's/line\nbreak'],
    ['subject', `s/${'x'.repeat(201)}`],
    ['subject', 'no stream/x'],
    ['time', '2026-02-30T00:00:00.000Z'],
    ['time', '2026-01-01T00:00:00.000+01:00'],
    ['time', '2026-01-01T00:00:00Z'],
    ['id', '01890a5d-ac96-474b-8cce-b1c1c1b1b1b1'],
    ['source', '/clifford/else'],
    ['extra', 1],
  ];

  // Compiled and interpreted, a schema is one rule.
  it.each([...changes, ...subtle])('decides %s = %j as its interpreter does', (key, value) => {
    const event = { ...stored, [key]: value };
    const accepted = interpreted('task.skipped').safeParse(event).success;
    expect(schemaOf('task.skipped').validate(event)).toBe(accepted);
  });

  it.each(types)('is compiled for %s, which interpreted would slow down every reader', (type) => {
    expect(() => z.compile(interpreted(type), { strict: true })).not.toThrow();
  });

  it.each(types)('takes of %s what its interpreter takes, unchanged, and nothing else', (type) => {
    const plain = interpreted(type);
    const envelope = { ...stored, type };
    const valid = arbitraryOf(eventCatalog[type].data);
    const damaged = fc.tuple(valid, damage).map(([data, change]) => change(data));
    fc.assert(
      fc.property(fc.oneof(valid, damaged), (data) => {
        const event = { ...envelope, data };
        const parsed = plain.safeParse(event);
        expect(schemaOf(type).validate(event)).toBe(parsed.success);
        expect(parsed.success ? parsed.data : event).toEqual(event);
      }),
    );
    fc.assert(fc.property(valid, (data) => schemaOf(type).validate({ ...envelope, data })));
  });

  it('decides of the hundredth event as of the first: it is compiled in between', () => {
    const wrong = { ...stored, type: 'task.skipped', data: { by: 'ann', reason: 1 } };
    const right = { ...stored, type: 'task.skipped', data: { by: 'ann' } };
    for (let round = 0; round < 100; round++) {
      expect(decodeEvent(right)).toBe(right);
      expect(() => decodeEvent(wrong)).toThrow('Cannot read event');
    }
  });

  it('takes every event of the fixture', () => {
    const lines = readFileSync(new URL('../fixtures/events/events-v1.jsonl', import.meta.url), 'utf8')
      .trim()
      .split('\n');
    for (const line of lines) {
      const event: unknown = JSON.parse(line);
      const decoded = decodeEvent(event);
      const isOld = currentSchemaVersion(decoded.type) > 1;
      expect(isOld ? event : decoded).toEqual(event);
      expect(schemaOf(decoded.type).parse(decoded)).toEqual(decoded);
    }
  });
});
