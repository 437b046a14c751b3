import { describe, expect, it } from 'vitest';
import { cutsTitles, taskCells, taskColumns } from '../../../src/tui/text/task-columns.ts';
import type { TaskItem } from '../../../src/views/sprints/task-items.ts';
import { anItem, taskRows } from '../../helpers/task-rows.ts';

/** The ids of tasks by how many cells they need. */
const ids = {
  2: 'ui',
  3: 'api',
  4: 'docs',
  5: 'forms',
  6: 'parser',
  7: 'dunning',
  8: 'currency',
  9: 'tax-rates',
  10: 'promotions',
  11: 'signup-form',
  12: 'invoice-list',
  13: 'invoice-lists',
  14: 'payments-hooks',
  15: 'currency-format',
  16: 'payments-webhook',
  18: 'payments-webhook-2',
  22: 'customer-portal-invoic',
  23: 'customer-portal-invoice',
  25: 'customer-portal-invoice-2',
  30: 'customer-portal-invoices-by-id',
  32: 'customer-portal-invoices-by-name',
  33: 'customer-portal-invoices-by-month',
  42: 'customer-portal-invoice-list-and-downloads',
} as const;

const TITLE = 'Value added tax by country, its exemptions, and what the law says';
const FAILED = ['exit code 1 of the agent that was at it, twice now'];

type Over = Partial<TaskItem>;
/** A task whose id has so many cells. */
const of = (cells: keyof typeof ids, over: Over = {}) => anItem({ id: ids[cells], ...over });
const row = (width: number, cells: keyof typeof ids, over: Over = {}) =>
  taskRows(width, [of(cells, over)])[0];

describe('where the columns of a list of tasks change', () => {
  it('two cells are between them from 72 cells on', () => {
    const costly = { cost: '$0.12', time: '12 min' };
    expect([71, 72].map((width) => row(width, 4, costly)?.slice(-20))).toMatchInlineSnapshot(`
      [
        "        $0.12 12 min",
        "       $0.12  12 min",
      ]
    `);
  });

  it('under 20 cells an id that is cut leaves room for the attempt, which goes where the whole id needs that', () => {
    const tried = { attempt: '2', cost: '$12.40' };
    expect([19, 20].map((width) => row(width, 15, tried))).toMatchInlineSnapshot(`
      [
        "currency-format    ",
        "currency-format    2",
      ]
    `);
  });

  it('an agent is named in eight cells or more, after 48 of a title that is cut, and 32 of why a task does not go on', () => {
    const agent = 'a-very-long-agent-name';
    const waits = (id: string) => [`waits for ${id}`, `← ${id}`, 'waits'];
    expect([
      row(67, 5, { title: TITLE, agent: 'claude-code', time: '1 h' }),
      row(75, 14, { title: TITLE, agent: 'claude-code' }),
      row(60, 9, { agent, cost: '$0.12', time: '12 min', notes: waits('customer-portal-i') }),
      row(72, 42, { model: 'claude-opus-4-5', time: '42 s', cost: '$12.40', notes: waits('pdf') }),
      row(60, 8, { agent, notes: waits('customer-portal-invoice-list-and-down') }),
      row(60, 11, { attempt: '3/3', model: 'gpt-5', time: '1 h', notes: waits('customer-portal-invoice-x') }),
    ]).toMatchInlineSnapshot(`
      [
        "forms  Value added tax by country, its exemptions, and what th… 1 h",
        "payments-hooks  Value added tax by country, its exemptions, and…  claude-c…",
        "tax-rates  waits for customer-portal-i a-very-… $0.12 12 min",
        "customer-portal-invoice-lis…  waits for pdf  claude-opus-…  $12.40  42 s",
        "currency  waits                            a-very-long-agen…",
        "signup-form  ← customer-portal-invoice-x       3/3 gpt-5 1 h",
      ]
    `);
  });

  it('why a task does not go on takes no room from costs that a title would have', () => {
    expect(row(71, 13, { notes: FAILED, cost: '$12.40', time: '12 min' })).toMatchInlineSnapshot(
      `"invoice-lists  exit code 1 of the agent that was at it, … $12.40 12 min"`,
    );
  });

  it('a title is cut by a column that has one cell less, and what stands in place of one is none', () => {
    const columns = taskColumns([of(5, { title: TITLE })], 40);
    const isCut = (cells: number, over: Over = {}) =>
      cutsTitles([of(5, { title: 'x'.repeat(cells), ...over })], columns);
    expect(isCut(columns.about)).toBe(false);
    expect(isCut(columns.about + 1)).toBe(true);
    expect(isCut(columns.about + 1, { notes: ['by ada'] })).toBe(false);
  });

  it('a title of one letter has its column, too', () => {
    expect([
      row(61, 4, { title: 'V' })?.trimEnd(),
      row(21, 11, { title: 'V', time: '12 min' }),
      row(13, 8, { title: 'V', attempt: '2/3' }),
    ]).toMatchInlineSnapshot(`
      [
        "docs  V",
        "signup-form  V 12 min",
        "currency  V  ",
      ]
    `);
  });

  it('attempts have a column where no title is cut for it', () => {
    expect([
      row(28, 42, { title: TITLE, attempt: '2/3', time: '1 h' }),
      row(71, 14, { notes: FAILED, attempt: '2', agent: 'claude-code', cost: '$12.40', time: '12 min' }),
      row(61, 4, { title: TITLE, attempt: '2/3', agent: 'pi', time: '1 h' }),
      row(19, 9, { title: 'Value added', attempt: '3/3' }),
      row(59, 10, { title: 'Value added tax', attempt: '2' }),
      row(75, 7, { title: TITLE, cost: '$0.12' }),
    ]).toMatchInlineSnapshot(`
      [
        "customer-portal-inv… 2/3 1 h",
        "payments-hooks  exit code 1 of the agent that was at i… 2 $12.40 12 min",
        "docs  Value added tax by country, its exemptions,… 2/3 pi 1 h",
        "tax-rates       3/3",
        "promotions  Value added tax                               2",
        "dunning  Value added tax by country, its exemptions, and what the l…  $0.12",
      ]
    `);
    const titled = [
      of(18, { title: 'Value added tax by country, its exemptions,', model: 'o3' }),
      of(10, { attempt: '2/3', time: '9 s' }),
    ];
    expect(taskRows(71, titled)).toMatchInlineSnapshot(`
      [
        "payments-webhook-2  Value added tax by country, its exemptions,        ",
        "promotions                                                      2/3 9 s",
      ]
    `);
  });

  it('an id of 32 cells is whole before a title, a longer one has no more than two fifths of a row that says something', () => {
    expect([
      row(35, 32, { title: TITLE }),
      row(73, 33, { title: TITLE }),
      row(58, 42, { title: TITLE }),
      row(23, 13, { title: TITLE }),
      row(33, 42, { notes: ['exit code 1'] }),
    ]).toMatchInlineSnapshot(`
      [
        "customer-portal-invoices-by-name   ",
        "customer-portal-invoices-by-…  Value added tax by country, its exemption…",
        "customer-portal-invoic…  Value added tax by country, its …",
        "invoice-lists  Value a…",
        "customer-portal-inv…  exit code 1",
      ]
    `);
    expect(row(28, 13, { title: TITLE, attempt: '2', time: '1 h' })).toMatchInlineSnapshot(
      `"invoice-lists          2 1 h"`,
    );
  });

  it('ids up to half as wide again as three of four have their place before what is said', () => {
    const said = (width: number, cells: readonly (keyof typeof ids)[], over: Over) =>
      taskRows(width, [...cells.map((each) => of(each)), of(4, over)])
        .at(-1)
        ?.trimEnd();
    expect([
      said(71, [15, 2, 10], { title: 'Rates' }),
      said(71, [16, 2, 10], { title: 'Rates' }),
      said(28, [7, 6, 11], { notes: ['no runner at work', 'no runner'] }),
      said(94, [9, 11, 12], { notes: ['by ada'] }),
    ]).toMatchInlineSnapshot(`
      [
        "docs             Rates",
        "docs        Rates",
        "docs     no runner at work",
        "docs          by ada",
      ]
    `);
  });

  it('a long id has what is blank of its row, then the place of its facts, then that of its time', () => {
    expect([
      row(50, 30, { title: 'Value add', cost: '$0.12' }),
      row(33, 33, { time: '1 h' }),
      row(11, 11, { attempt: '2' }),
      row(13, 12, { attempt: '2/3', isWaiting: true }),
      row(19, 9, { title: 'Value added', attempt: '3/3', isWaiting: true }),
      row(68, 30, { notes: ['waits for pdf', 'waits'] })?.trimEnd(),
      row(19, 10, { notes: ['by hand'] }),
    ]).toMatchInlineSnapshot(`
      [
        "customer-portal-invoices-by-id  Value add    $0.12",
        "customer-portal-invoices-by-month",
        "signup-form",
        "invoice-list ",
        "tax-rates       3/3",
        "customer-portal-invoices-by-id  waits for pdf",
        "promotions  by hand",
      ]
    `);
    expect(taskRows(19, [of(25), of(6, { attempt: '2/3' })])).toMatchInlineSnapshot(`
      [
        "customer-portal-in…",
        "parser          2/3",
      ]
    `);
    // One that is as wide as its column leaves the others where they are.
    const fits = [of(16, { cost: '$0.12' }), of(7, { title: 'Rates', time: '12 min' })];
    expect(taskRows(83, fits)).toMatchInlineSnapshot(`
      [
        "payments-webhook                                                      $0.12        ",
        "dunning           Rates                                                      12 min",
      ]
    `);
    // What stands in the column of reasons is no blank of this row.
    const failed = [of(4, { notes: ['exit code 1 of the agent'] }), of(42, { time: '3 h 12 min' })];
    expect(taskRows(46, failed)).toMatchInlineSnapshot(`
      [
        "docs                exit code 1 of the agent  ",
        "customer-portal-invoice-list-and-downloads    ",
      ]
    `);
    const titled = [
      of(25, { title: 'Value added tax by count', time: '1 h' }),
      of(22, { time: '3 h 12 min' }),
    ];
    expect(taskRows(51, titled)).toMatchInlineSnapshot(`
      [
        "customer-portal-invoice-2  Value added tax by…  1 h",
        "customer-portal-invoic                   3 h 12 min",
      ]
    `);
  });

  it('a title stands in what is blank of its row where there are twelve cells for it, or for all of it', () => {
    expect([
      row(23, 10, { title: TITLE, word: 'done', time: '1 h' }),
      row(28, 14, { title: TITLE, word: 'done', time: '3 h 12 min' }),
    ]).toMatchInlineSnapshot(`
      [
        "promotions          1 h",
        "payments-hooks  Value added…",
      ]
    `);
    const short = [of(7, { title: 'Value add', attempt: '2' }), of(3, { time: '1 h' })];
    expect(taskRows(20, short)).toMatchInlineSnapshot(`
      [
        "dunning  Value add 2",
        "api              1 h",
      ]
    `);
  });

  it('a reason stands behind an id in as many cells as it needs, one of them blank, and behind a cut one if eight are left of that', () => {
    const parked = ['parked 12 min', 'parked'];
    expect([
      row(16, 6, { notes: ['by ada'], time: '12 min' }),
      row(15, 9, { notes: ['exit code 1'], cost: '$12.40' }),
      row(20, 23, { notes: parked, attempt: '2/3' }),
      row(22, 23, { notes: parked, time: '42 s', isWaiting: true }),
      row(20, 12, { notes: ['by hand'], attempt: '3/3', time: '9 s', isWaiting: true }),
      row(15, 10, { notes: ['set aside by ada', 'by ada'] }),
      row(16, 42, { notes: ['by hand'] }),
      row(15, 42, { notes: ['by hand'] }),
      row(14, 6, { notes: ['no runner at work', 'no runner'] }),
      row(15, 9, { notes: parked }),
      row(18, 9, { notes: ['exit code 1'], time: '1 h' }),
      row(21, 11, { notes: ['exit code 1'] }),
    ]).toMatchInlineSnapshot(`
      [
        "parser  by ada  ",
        "tax-rates      ",
        "customer-por… parked",
        "customer-… parked 42 s",
        "invoice-list 3/3 9 s",
        "promotions     ",
        "custome… by hand",
        "customer-porta…",
        "parser        ",
        "tax-rates      ",
        "tax-rates exit co…",
        "signup-form  exit co…",
      ]
    `);
    const waits = [of(8, { time: '12 min' }), of(3, { notes: ['by hand'], attempt: '2', isWaiting: true })];
    expect(taskRows(23, waits)).toMatchInlineSnapshot(`
      [
        "currency         12 min",
        "api             by hand",
      ]
    `);
  });

  it('what stands there is said to be a reason or a title', () => {
    const isNote = (width: number, cells: keyof typeof ids, over: Over) => {
      const item = of(cells, over);
      return taskCells(item, taskColumns([item], width)).isNote;
    };
    const notes = ['by ada'];
    expect([isNote(73, 10, { notes }), isNote(73, 10, { title: TITLE })]).toEqual([true, false]);
    // Behind a long id, squeezed, and in what is blank of a row.
    expect(isNote(68, 30, { notes })).toBe(true);
    expect(isNote(33, 42, { notes: ['exit code 1'] })).toBe(true);
    expect(isNote(16, 6, { notes, time: '12 min' })).toBe(true);
    expect(isNote(28, 14, { title: TITLE, word: 'done', time: '3 h 12 min' })).toBe(false);
  });
});
