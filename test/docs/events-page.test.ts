import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { eventCatalog } from '../../src/events/catalog.ts';
import { isEventType } from '../../src/events/catalog.ts';
import { sources } from '../../src/events/envelope.ts';
import { isObservation } from '../../src/machines/legality.ts';

const page = await readFile(new URL('../../docs/events.md', import.meta.url), 'utf8');

/** The rows of the event tables: type, fields, and whether the row or its heading is marked ○. */
const rows = page.split('\n### ').flatMap((section) => {
  const [heading = ''] = section.split('\n', 1);
  return [...section.matchAll(/^\| `(\w+\.\w+)`( ○)? +\| (.+?) +\|/gm)].map(
    ([, type = '', mark, data = '']) => ({
      type,
      isObservation: heading.endsWith('○') || mark !== undefined,
      fields: [...data.matchAll(/`(\w+)(?:\[[^`]*\]|\{[^`]*\})?\??`/g)].map(([, field]) => field),
    }),
  );
});

describe('docs/events.md', () => {
  it('has a line for every event, and no other', () => {
    expect(rows.map(({ type }) => type).sort()).toEqual(Object.keys(eventCatalog).sort());
  });

  it.each(rows)('names the fields of $type and whether it can be refused', (row) => {
    if (!isEventType(row.type)) throw new Error(`${row.type} is no event`);
    expect(row.fields).toEqual(Object.keys(eventCatalog[row.type].data.shape));
    expect(row.isObservation).toBe(isObservation(row.type));
  });

  it('names every source', () => {
    for (const source of sources) expect(page).toContain(`\`${source}\``);
  });
});
