import { describe, expect, it, vi } from 'vitest';
import type { PaneContent } from '../../../src/tui/panes/pane.ts';
import { createAgentOutput } from '../../../src/tui/text/agent-output.ts';
import { litLine } from '../../../src/tui/text/lit-line.ts';
import { showPane } from '../../helpers/shown-pane.tsx';

const none: PaneContent = { lines: () => [], empty: '' };
const pane = (lines: readonly string[]) => lines.slice(2, -2).map((line) => line.slice(34).trimEnd());
const seen = (lines: () => string[], text: string) =>
  vi.waitFor(() => expect(pane(lines()).join('\n')).toContain(text));

/** Output of 40 lines, of which each tenth has `Found` in it. */
function written() {
  const output = createAgentOutput();
  output.append(
    'parser',
    Array.from({ length: 40 }, (_, n) => `${n} ${n % 10 === 5 ? 'Found' : 'other'}\n`).join(''),
  );
  return output;
}

describe('looking for a text in a pane', () => {
  it('leaves the lines that have it; n and N go from one to another among all lines, around the end', async () => {
    const { lines, press } = showPane('output', none, [80, 14], written());
    press('/');
    press('found');
    await seen(lines, '/found');
    press('\r');
    await seen(lines, '/found  4 of 40');
    expect(pane(lines()).slice(0, 5)).toEqual([
      '5 Found',
      '15 Found',
      '25 Found',
      '35 Found',
      '/found  4 of 40',
    ]);
    press('n');
    await seen(lines, '4 of 4 in 40');
    expect(pane(lines())).toMatchInlineSnapshot(`
      [
        "31 other                                     ▲",
        "32 other",
        "33 other",
        "34 other",
        "35 Found",
        "36 other                                     ▐",
        "37 other                                     ▐",
        "38 other                                     ▼",
        "▼ 1 newer",
        "/found  4 of 4 in 40",
      ]
    `);
    press('N');
    await seen(lines, '3 of 4 in 40');
    expect(pane(lines())).toMatchInlineSnapshot(`
      [
        "21 other                                     ▲",
        "22 other",
        "23 other",
        "24 other",
        "25 Found                                     ▐",
        "26 other                                     ▐",
        "27 other",
        "28 other                                     ▼",
        "▼ 11 newer",
        "/found  3 of 4 in 40",
      ]
    `);
    press('n');
    await seen(lines, '4 of 4 in 40');
    press('n');
    await seen(lines, '1 of 4 in 40');
    expect(pane(lines()).slice(0, -2)).toContain('5 Found');
    press('/');
    await seen(lines, '4 of 40');
    press('\u001B');
    await vi.waitFor(() => expect(lines().join('\n')).not.toContain('/found'));
    press('n');
    press('j');
    await vi.waitFor(() => expect(lines().join('\n')).not.toContain('/found'));
  });

  it('moves the cursor of a list', async () => {
    const rows = ['one', 'two', 'three', 'two again'];
    const content: PaneContent = {
      empty: '',
      lines: () => rows.map((text, at) => ({ at: at * 10, line: { spans: [{ text, style: 'plain' }] } })),
    };
    const { lines, press } = showPane('changes', content, [80, 14]);
    press('/');
    press('two');
    await seen(lines, '/two');
    press('\r');
    await seen(lines, '/two  2 of 4');
    press('n');
    await seen(lines, '1 of 2 in 4');
    press('n');
    await seen(lines, '2 of 2 in 4');
    expect(
      lines()
        .slice(2, 6)
        .map((line) => line.slice(34)),
    ).toEqual(['  one', '  two', '  three', '› two again']);
  });
});

it('what a pane shows is made anew where it has changed, not at each key', async () => {
  const output = written();
  const read = vi.spyOn(output, 'read');
  const { lines, press } = showPane('output', none, [80, 14], output);
  await vi.waitFor(() => expect(lines().join('\n')).toContain('39 other'));
  const before = read.mock.calls.length;
  press('\t');
  press('?');
  await vi.waitFor(() => expect(lines().join('\n')).toContain('── Keys'));
  expect(read.mock.calls).toHaveLength(before);
});

describe('what is looked for in a line', () => {
  const line = {
    spans: [
      { text: 'A fou', style: 'plain' },
      { text: 'nd Found', style: 'dim' },
    ],
    indent: 2,
  } as const;

  it('is lit wherever it stands, across changes of style', () => {
    expect(litLine(line, ' FOUND ')).toEqual({
      indent: 2,
      spans: [
        { text: 'A ', style: 'plain' },
        { text: 'fou', style: 'lit' },
        { text: 'nd', style: 'lit' },
        { text: ' ', style: 'dim' },
        { text: 'Found', style: 'lit' },
      ],
    });
  });

  it.each(['', '  ', 'nothing'])('leaves a line as it is that does not have %j', (text) => {
    expect(litLine(line, text)).toBe(line);
  });
});
