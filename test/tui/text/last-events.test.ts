import { describe, expect, it } from 'vitest';
import { lastEvents } from '../../../src/tui/text/last-events.ts';

const line = (at: number, text: string) => ({
  at,
  time: '20:10 ',
  line: {
    spans: [
      { text: '20:10 ', style: 'dim' as const },
      { text: 'pdf ', style: 'dim' as const },
      { text, style: 'plain' as const },
    ],
  },
});
const rows = (texts: readonly string[], height: number) =>
  lastEvents(
    texts.map((text, at) => line(at, text)),
    { before: 2, width: 24, height },
  ).map((row) =>
    row
      .map(({ text }) => text)
      .join('')
      .trimEnd(),
  );

describe('the last events of a sprint', () => {
  it('go on in a second row, deeper than their titles, and are cut at its end', () => {
    expect(rows(['Task started', 'Task failed The dumps have no lines of invoices'], 4)).toEqual([
      '20:10 pdf Task started',
      '      pdf Task failed',
      '            The dumps…',
    ]);
  });

  it('are the newest that fit, the first of them in one row if there is no other', () => {
    const texts = ['Task started', 'Task failed The dumps', 'Task failed The dumps'];
    expect(rows(texts, 4)).toHaveLength(4);
    expect(rows(texts, 3)).toEqual([
      '20:10 pdf Task failed…',
      '      pdf Task failed',
      '            The dumps',
    ]);
    expect(rows(texts, 1)).toEqual(['20:10 pdf Task failed…']);
  });
});
