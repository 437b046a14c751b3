import { describe, expect, it } from 'vitest';
import { answerLine, answersText } from '../../../src/events/form/answers-text.ts';
import { checkedAnswers, problemsText } from '../../../src/events/form/checked-answers.ts';
import type { FormAnswer } from '../../../src/events/form/form.ts';
import { readAnswers, readAnswersInWords } from '../../../src/events/form/read-answers.ts';
import { storeForm } from '../../helpers/store-form.ts';

const labelled = (...labels: readonly string[]) => labels.map((label) => ({ label }));

const all: readonly FormAnswer[] = [
  { question: 0, options: [1] },
  { question: 1, options: [0, 2], words: 'and a dark mode' },
  { question: 2, options: [], words: 'till\nor tally' },
];

describe('answers to a form', () => {
  it('are taken in the order of the questions, without those that say nothing', () => {
    const answers = [
      { question: 2, options: [], words: 'till\nor tally' },
      { question: 3, options: [], words: ' \u200B' },
      { question: 1, options: [2, 0, 2], words: 'and a dark mode' },
      { question: 0, options: [1] },
    ];
    expect(checkedAnswers(storeForm, answers)).toEqual({ answers: all });
  });

  it.each<[string, FormAnswer, string]>([
    ['an option that is not there', { question: 0, options: [2] }, 'Database has no option 3, only 2'],
    ['two options of one', { question: 0, options: [0, 1] }, 'Database takes one of its options, not 2'],
    [
      'words where only options count',
      { question: 3, options: [], words: 'GPL' },
      'License takes none but its options',
    ],
    [
      'an option where there are none',
      { question: 2, options: [0] },
      'Name: of the service offers no options',
    ],
    ['a question that is not there', { question: 4, options: [], words: 'x' }, 'question 5 is not asked'],
    ['one twice', { question: 1, options: [0] }, 'Features is answered twice'],
  ])('are refused with %s', (_, answer, why) => {
    const others = all.filter(({ question }) => question === 1 || question !== answer.question);
    const checked = checkedAnswers(storeForm, [...others, answer]);
    expect('problems' in checked && problemsText(storeForm, checked.problems)).toBe(why);
  });

  it('are refused while one that has to be answered is not', () => {
    const unseen = { question: 2, options: [], words: '\u200B\u2800' };
    const checked = checkedAnswers(storeForm, [{ question: 1, options: [1] }, unseen]);
    expect('problems' in checked && problemsText(storeForm, checked.problems)).toBe(
      'Database has no answer; Name: of the service has no answer',
    );
  });

  it('are a text that names each question by its title', () => {
    expect(answersText(storeForm, all)).toBe(
      [
        'Database: SQLite',
        'Features:',
        '- Login',
        '- Export',
        '- in own words: and a dark mode',
        'Name: of the service:',
        '- till',
        '  or tally',
        'License: (no answer)',
      ].join('\n'),
    );
  });
});

describe('what was answered, on one line', () => {
  it('keeps the answers to a form apart', () => {
    expect(answerLine({ response: answersText(storeForm, all), answers: all })).toBe(
      'Database: SQLite; Features: Login, Export, in own words: and a dark mode; ' +
        'Name: of the service: till or tally; License: (no answer)',
    );
  });

  it('is the answer as it is, where one thing was asked', () => {
    expect(answerLine({ response: '- a\n- b' })).toBe('- a\n- b');
  });
});

describe('written answers', () => {
  const read = (json: unknown) => readAnswers(storeForm, json);

  it('name questions by title or number, and options by label, number or in a list', () => {
    const answers = [
      { question: 0, options: [1] },
      { question: 1, options: [0, 2] },
    ];
    expect(read({ Database: 'sqlite', features: ['Login', 3] })).toEqual({ answers });
    expect(read({ '1': 2, '2': '1, 3' })).toEqual({ answers });
    // A number that is no option's may be an answer of its own.
    expect(read({ '1': '5432' })).toEqual({ answers: [{ question: 0, options: [], words: '5432' }] });
    expect(read({ '1': '1, 2' })).toEqual({ problem: 'Database takes one of its options, not 2' });
    const scores = [{ title: 'Score', options: [{ label: '2 1' }, { label: '1 3' }] }];
    expect(readAnswers(scores, { Score: '1 3' })).toEqual({ answers: [{ question: 0, options: [1] }] });
    expect(read({ '2': '2, 4' })).toEqual({ problem: 'Features has no option 4, only 3' });
    expect(read({ '3': '1, 2' })).toEqual({ answers: [{ question: 2, options: [], words: '1, 2' }] });
    expect(read({ database: { options: ['SQLite'] }, Features: 'login, export' })).toEqual({ answers });
  });

  it.each([
    ['one that is not there', '2', '2, 4', 'Features has no option 4, only 3'],
    ['one that is not there, where one may be chosen', '1', '1, 4', 'Database has no option 4, only 2'],
    [
      'more than may be chosen, one of them twice',
      '1',
      '1, 1, 2',
      'Database takes one of its options, not 2',
    ],
  ])('are refused with numbers among which is %s', (_, question, numbers, problem) => {
    expect(read({ [question]: numbers })).toEqual({ problem });
    expect(readAnswersInWords(storeForm, `${question}: ${numbers}`)).toEqual({ problem });
  });

  it('choose an option once whose number is there twice', () => {
    expect(read({ '1': '2, 2', '2': '3, 1, 3' })).toEqual({
      answers: [
        { question: 0, options: [1] },
        { question: 1, options: [0, 2] },
      ],
    });
  });

  it('are refused with numbers of which nobody knows whether they are words of options, or their places', () => {
    const several = [{ title: 'Retries', multiple: true as const, options: labelled('3', '5', '10') }];
    const one = [{ title: 'Retries', options: labelled('3', '5', '10') }];
    const unclear = (numbers: string) => ({
      problem: `Retries has options that are numbers: ${numbers} may be their words, or their places`,
    });
    for (const numbers of ['1, 3', '3, 10, 2'])
      expect(readAnswers(several, { Retries: numbers })).toEqual(unclear(numbers));
    const unknown = { problem: 'Retries has no option 4, only 3' };
    expect(readAnswers(several, { Retries: '10, 4' })).toEqual(unknown);
    expect(readAnswers(one, { Retries: '10, 4' })).toEqual(unknown);
    expect(readAnswers(one, { Retries: '1, 3' })).toEqual({
      problem: 'Retries takes one of its options, not 2',
    });
  });

  it('are own words where they name no option, alone or beside options', () => {
    expect(read({ Database: 'MySQL 8', Features: ['Login', 'and a dark mode'] })).toEqual({
      answers: [
        { question: 0, options: [], words: 'MySQL 8' },
        { question: 1, options: [0], words: 'and a dark mode' },
      ],
    });
    expect(read({ Database: { options: [1], words: '2' } })).toEqual({
      answers: [{ question: 0, options: [0], words: '2' }],
    });
  });

  it.each<[string, unknown, string]>([
    ['a list', ['SQLite'], 'it is not a JSON object of answers'],
    [
      'a title that is not asked',
      { Base: 'SQLite' },
      'no question is named Base: there are 1 (Database), 2 (Features), ',
    ],
    ['the number of an option too many', { Database: 3 }, 'Database has no option 3, only 2'],
    [
      'an unknown option apart from words',
      { Database: { options: ['MySQL'] } },
      'Database has no option MySQL',
    ],
    [
      'something that is no answer',
      { Database: true },
      'the answer to Database is no text, number or list of those',
    ],
  ])('are refused with %s', (_, json, why) => {
    expect(read(json)).toEqual({ problem: expect.stringContaining(why) });
  });

  it('may be lines: a question’s title, however it is written, or its number', () => {
    const words = 'database: 2\n\n 2) 1, 3\nName: of the service: till: the shop\n';
    expect(readAnswersInWords(storeForm, words)).toEqual({
      answers: [
        { question: 0, options: [1] },
        { question: 1, options: [0, 2] },
        { question: 2, options: [], words: 'till: the shop' },
      ],
    });
  });

  it('go to the question of a title that is a number, before that of this number', () => {
    const questions = [{ title: '2' }, { title: '1' }];
    const answers = [{ question: 0, options: [], words: 'two' }];
    expect(readAnswers(questions, { 2: 'two' })).toEqual({ answers });
    expect(readAnswersInWords(questions, '2: two')).toEqual({ answers });
  });

  it.each([
    [
      'a line that names none',
      'Database: 1\nwhatever you like',
      'no question is named in "whatever you like"',
    ],
    ['nothing', ' \n', 'it is empty'],
  ])('are refused with %s: no answer goes to another question', (_, words, why) => {
    expect(readAnswersInWords(storeForm, words)).toEqual({ problem: why });
  });

  it('are no small number beyond those of the options: it was mistyped, where a longer one may be an answer of its own', () => {
    const problem = 'Database has no option 9, only 2';
    expect(readAnswersInWords(storeForm, '1: 9')).toEqual({ problem });
    expect(readAnswersInWords([storeForm[0]], '9')).toEqual({ problem });
    expect(readAnswersInWords(storeForm, '1: 8, 9')).toEqual({ problem: 'Database has no option 8, only 2' });
    const words = (text: string) => ({ answers: [{ question: 0, options: [], words: text }] });
    expect(readAnswersInWords(storeForm, '1: 11')).toMatchObject({ problem: expect.any(String) });
    for (const own of ['15', '5432', '3, 5432'])
      expect(readAnswersInWords(storeForm, `1: ${own}`)).toEqual(words(own));
    const sized = [{ title: 'Size', options: [{ label: '2 GB' }, { label: '4 GB' }] }];
    expect(readAnswersInWords(sized, '9')).toEqual(words('9'));
    expect(readAnswersInWords([{ title: 'Age' }], '9')).toEqual(words('9'));
  });

  it('to a form of one question are its answer', () => {
    expect(readAnswersInWords([storeForm[0]], 'SQLite')).toEqual({
      answers: [{ question: 0, options: [1] }],
    });
    expect(readAnswersInWords([storeForm[2]], '{"a":1}')).toEqual({
      answers: [{ question: 0, options: [], words: '{"a":1}' }],
    });
  });
});
