import { describe, expect, it } from 'vitest';
import { factRows } from '../../../src/tui/text/fact-rows.ts';

const rows = (facts: readonly (readonly [label: string, text: string])[], width: number, height: number) =>
  factRows(
    facts.map(([label, text]) => ({ label, text })),
    width,
    height,
  ).map((row) => row.map(({ text }) => text).join(''));

describe('the facts of a task', () => {
  const facts = [
    ['State', 'done'],
    ['Attempt', '1/3'],
    ['Worked', '1 min'],
    ['Needs', 'invoice-api (done), tax-rules (active), pdf (done)'],
  ] as const;

  it('go on between the parts of a text', () => {
    expect(rows(facts, 36, 9)).toEqual([
      'State     done',
      'Attempt   1/3',
      'Worked    1 min',
      'Needs     invoice-api (done),',
      '          tax-rules (active),',
      '          pdf (done)',
    ]);
  });

  it('say less where all would not fit, and begin no row behind a part that is broken', () => {
    const waited = { label: 'Waited', text: '10 min 40 s for humans', short: '10 min 40 s' };
    const shown = (width: number) => factRows([waited], width, 9).map((row) => row.at(-1)?.text);
    expect([shown(32), shown(31)]).toEqual([['10 min 40 s for humans'], ['10 min 40 s']]);
    expect(rows([['State', 'blocked: waits for an answer, 12 s']], 30, 9)).toEqual([
      'State     blocked: waits for ',
      '          an answer, 12 s',
    ]);
  });

  it('share a row where they are too many, and two of them fit', () => {
    expect(rows(facts, 30, 5).slice(0, 2)).toEqual(['State     done   Attempt 1/3', 'Worked    1 min']);
    expect(rows(facts, 26, 5)[0]).toBe('State     done');
  });

  it('keep one that goes on with the fact before it below that', () => {
    const work = [
      ['Work', 'commit a'],
      ['', 'two files'],
      ['File', 'pdf.md'],
    ] as const;
    expect(rows(work, 60, 2)).toEqual(['Work      commit a', '          two files', 'File      pdf.md']);
  });
});
