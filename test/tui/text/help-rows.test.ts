import { describe, expect, it } from 'vitest';
import { helpFrom } from '../../../src/tui/keys/help-focus.ts';
import { helpRows, helpTitle } from '../../../src/tui/text/help-rows.ts';

const sections = [
  {
    title: 'In the list',
    keys: [
      ['↑/↓', 'move'],
      ['Enter', 'open it'],
    ],
  },
  { title: 'In the pane', keys: [['/', 'show only lines with this text']] },
  { title: 'Everywhere', keys: [['q', 'leave']] },
] as const;

const textsAt = (width: number, page?: number) =>
  helpRows(sections, width, page).map((row) =>
    row
      .map(({ text }) => text)
      .join('')
      .trimEnd(),
  );

describe('helpRows', () => {
  it('has one column where there is no room for two', () => {
    expect(textsAt(78)).toEqual([
      'In the list',
      '  ↑/↓    move',
      '  Enter  open it',
      '',
      'In the pane',
      '  /      show only lines with this text',
      '',
      'Everywhere',
      '  q      leave',
    ]);
  });

  it('says so where nothing was found, and what was looked for', () => {
    expect(helpRows([], 78)).toHaveLength(1);
    const find = { text: 'pause', cursor: 2 };
    const help = { ...helpFrom(undefined), find };
    expect(helpTitle(helpFrom(undefined))).toBe('Keys that work here · / finds others');
    expect(helpTitle({ ...help, isFinding: true })).toBe('Keys · /pa▏use');
    expect(helpTitle(help)).toBe('Keys · /pause');
  });

  it('ends the page that is seen first with no title', () => {
    expect(textsAt(78, 5).slice(3, 6)).toEqual(['', '', 'In the pane']);
    expect(textsAt(78, 6).slice(3, 6)).toEqual([
      '',
      'In the pane',
      '  /      show only lines with this text',
    ]);
  });

  it('has columns that are as short as they can be, and divides no section', () => {
    expect(textsAt(118)).toEqual([
      `In the list${' '.repeat(49)}In the pane`,
      `  ↑/↓    move${' '.repeat(47)}  /      show only lines with this text`,
      '  Enter  open it',
      `${' '.repeat(60)}Everywhere`,
      `${' '.repeat(60)}  q      leave`,
    ]);
  });
});
