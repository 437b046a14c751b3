import { describe, expect, it } from 'vitest';
import { optionRowCount, optionRows } from '../../../src/tui/text/option-rows.ts';
import { questionRows } from '../../../src/tui/text/question-lines.ts';
import type { Span } from '../../../src/tui/text/spans.ts';
import { aQuestion } from '../../helpers/screen-views.ts';

const textOf = (spans: readonly Span[]) => spans.map(({ text }) => text).join('');
const rows = (over: Parameters<typeof aQuestion>[0], width = 40) =>
  questionRows(aQuestion(over), width).map(textOf);

describe('questionRows', () => {
  it('has the reason above the question, below it what helps to decide, and then its options', () => {
    expect(
      rows({
        reason: 'Two specs disagree',
        question: 'Which?',
        options: ['a', 'b'],
        context: 'x.md\ny.md',
        earlierAnswer: 'a',
      }),
    ).toEqual([
      'Reason: Two specs disagree',
      'Which?',
      'Context:',
      '  x.md',
      '  y.md',
      'You answered before: a',
      ' 1  a',
      ' 2  b',
    ]);
  });

  it('has a long reason below the question, which would be out of sight behind it', () => {
    const reason = 'one\ntwo\nthree';
    const asked = { question: 'Which?', context: 'x.md', options: ['a'] };
    const two = { ...asked, reason: 'one\ntwo' };
    expect(rows(two, 60).slice(0, 4)).toEqual(['Reason:', '  one', '  two', 'Which?']);
    expect(rows(two, 59).slice(0, 4)).toEqual(['Which?', 'Reason:', '  one', '  two']);
    expect(rows({ ...asked, reason: 'one' }, 59).slice(0, 2)).toEqual(['Reason: one', 'Which?']);
    expect(rows({ ...asked, reason }, 60)).toEqual([
      'Reason: below, 4 lines',
      'Which?',
      'Reason:',
      '  one',
      '  two',
      '  three',
      'Context: x.md',
      ' 1  a',
    ]);
  });

  it('has the further rows of a context below its first', () => {
    expect(rows({ question: 'Which?', context: 'It is hard to change' }, 18)).toEqual([
      'Which?',
      'Context: It is ',
      'hard to change',
    ]);
  });

  it('reads markdown, with the line breaks that were made', () => {
    expect(rows({ question: '# Which one?\n\nThe **old**\nor `new()`:\n\n- one\n- two' })).toEqual([
      'Which one?',
      '',
      'The old',
      'or new():',
      '',
      '• one',
      '• two',
    ]);
  });

  it.each([
    ['as a whole where it is short', 'Which one?', ['Which one?']],
    ['by the paragraph that asks', 'Two\nfit.\n\nWhich\none?\n\nBoth are old.', ['Which', 'one?']],
    [
      'by the last that asks',
      'Why did it fail?\n\nIt did.\n\nShould I go on (now?)',
      ['Should I go on (now?)'],
    ],
    ['by its first where none asks', 'It has no index.\n\nTell me which column.', ['It has no index.']],
    ['by the paragraph of a quotation that asks', '> It says a.\n>\n> Which?', ['│ ', '│', '│ ', 'Which?']],
  ])('stands out %s', (_how, question, bold) => {
    const spans = questionRows(aQuestion({ question }), 40).flat();
    expect(spans.filter(({ style }) => style !== 'plain').map(({ text }) => text)).toEqual(bold);
  });

  it('reads the context of a question as markdown, too, and that of a prompt as it is', () => {
    const context = 'The **old** one:\n\n- `a()`\n- b';
    const spans = questionRows(aQuestion({ question: 'Which?', context }), 40);
    expect(spans.map(textOf)).toEqual(['Which?', 'Context:', '  The old one:', '', '  • a()', '  • b']);
    expect(spans.flat()).toContainEqual({ text: 'old', style: 'bold' });
    const wide =
      '> Look:\n>\n> | key | does |\n> |---|---|\n> | q | leaves the screen, not the run |\n> | enter | in |';
    expect(questionRows(aQuestion({ question: 'Which?', context: wide }), 30).map(textOf)).toEqual([
      'Which?',
      'Context:',
      '  │ Look:',
      '  │',
      '  │ key   │ does',
      '  │ ──────┼───────────────────',
      '  │ q     │ leaves the screen,',
      '  │       │ not the run',
      '  │ ──────┼───────────────────',
      '  │ enter │ in',
    ]);
    expect(rows({ question: 'Which?', context: '**Two** days' })).toEqual(['Which?', 'Context: Two days']);
    expect(rows({ kind: 'prompt', question: 'Go on?', context: '**y**' })).toContain('Context: **y**');
  });

  it('leaves what a program prints as it is', () => {
    expect(rows({ kind: 'prompt', question: '*** Overwrite __init__.py?' })).toEqual([
      '*** Overwrite __init__.py?',
    ]);
  });

  it('shows what is hidden', () => {
    expect(rows({ question: 'a\u202Eb\u001B[31mc', context: '\u0007' })).toEqual([
      'a\\u202eb\\u001b[31mc',
      'Context: \\u0007',
    ]);
  });
});

describe('optionRows', () => {
  const options = ['The old one, as it is written', 'The new one', 'Neither'];
  const shown = (at: number | undefined, height: number, all = options) =>
    optionRows({ options: all, at, width: 24 }, height).map(({ spans }) => textOf(spans));

  it('are whole where there is room', () => {
    expect(optionRowCount({ options, width: 24 })).toBe(4);
    expect(shown(1, 4)).toEqual(
      [' 1  The old one, as it ', '    is written', '›2  The new one', ' 3  Neither'].map((row) => row),
    );
  });

  it('have a box each where several may be chosen', () => {
    const list = { options: ['a', 'b'], at: 1, marked: [0], width: 24 };
    expect(optionRows(list, 4).map(({ spans }) => textOf(spans))).toEqual([' 1  [x] a', '›2  [ ] b']);
  });

  it('are cut where there is not, but for the chosen one', () => {
    expect(shown(undefined, 3)).toEqual([' 1  The old one, as it …', ' 2  The new one', ' 3  Neither']);
  });

  it('are shown around the chosen one, with how many more there are', () => {
    const many = Array.from({ length: 12 }, (_, at) => `option ${at + 1}`);
    expect(shown(undefined, 4, many)).toEqual([
      '  1  option 1',
      '  2  option 2',
      '  3  option 3',
      '    ↓ 9 more',
    ]);
    expect(shown(6, 4, many)).toEqual(['    ↑ 6 more', '› 7  option 7', '  8  option 8', '    ↓ 4 more']);
    expect(shown(11, 4, many)).toEqual([
      '    ↑ 9 more',
      ' 10  option 10',
      ' 11  option 11',
      '›12  option 12',
    ]);
    expect(shown(5, 1, many)).toEqual(['› 6  option 6']);
  });
});

it('the questions of a form can be told from their options, and those from what is said of them', () => {
  const form = aQuestion({
    question: 'Two things',
    questions: [
      {
        title: 'Fonts',
        question: 'Which typeface?',
        options: [{ label: 'Noto', description: 'has all letters', recommended: true }, { label: 'Inter' }],
      },
      { title: 'Size', required: false },
    ],
  });
  const looks = questionRows(form, 60).map((row) => row.map(({ text, style }) => `${style}:${text}`));
  expect(looks).toMatchInlineSnapshot(`
    [
      [
        "bold:Two things",
      ],
      [
        "name:1. ",
        "bold:Fonts",
        "plain:: Which typeface?",
      ],
      [
        "plain:   ",
        "name:1. ",
        "plain:Noto",
        "name: (recommended)",
        "dim:: has all letters",
      ],
      [
        "plain:   ",
        "name:2. ",
        "plain:Inter",
      ],
      [
        "name:2. ",
        "bold:Size",
        "dim: (optional)",
      ],
    ]
  `);
});
