import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellsOf } from '../../../src/lib/text/cells.ts';
import type { TaskItem } from '../../../src/views/sprints/task-items.ts';
import { anItem, taskRows } from '../../helpers/task-rows.ts';

const items = [
  anItem({
    id: 'signup-form',
    title: 'Build the form for signing up',
    attempt: '2/3',
    agent: 'opencode',
    model: 'openai/gpt-5',
    time: '12 min',
    cost: '$0.12',
  }),
  anItem({ id: 'docs', title: 'Write it down', notes: ['waits for signup-form', 'waits for 1'] }),
];

const rows = (width: number, all = items) => taskRows(width, all);

describe('the columns of a list of tasks', () => {
  it('are the id alone where there is no room for more', () => {
    expect(rows(13)).toEqual(['signup-form  ', 'docs         ']);
  });

  it('have more in them the wider they are, and the title or why it does not go on with what is left', () => {
    expect([19, 22, 47, 100].map((width) => rows(width))).toMatchInlineSnapshot(`
      [
        [
          "signup-form  12 min",
          "docs  waits for 1  ",
        ],
        [
          "signup-form 2/3 12 min",
          "docs  waits for 1     ",
        ],
        [
          "signup-form  Build the form for sig… 2/3 12 min",
          "docs         waits for signup-form             ",
        ],
        [
          "signup-form  Build the form for signing up                2/3  opencode  openai/gpt-5  $0.12  12 min",
          "docs         waits for signup-form                                                                  ",
        ],
      ]
    `);
  });

  it('have titles that are as wide whether or not a row among them has an attempt, which stands there in its own', () => {
    const titled = (id: string, over: Partial<TaskItem> = {}) =>
      anItem({ id, title: 'Build the form for signing up', time: '12 s', ...over });
    const all = [
      titled('form'),
      titled('api', { attempt: '2/3' }),
      titled('docs', { notes: ['by ada'], attempt: '2/3' }),
    ];
    expect(rows(30, all)).toMatchInlineSnapshot(`
      [
        "form  Build the form for… 12 s",
        "api   Build the form… 2/3 12 s",
        "docs  by ada          2/3 12 s",
      ]
    `);
    expect(rows(30, all)[0]).toBe(rows(30, [titled('form')])[0]);
    expect(rows(18, all)).toMatchInlineSnapshot(`
      [
        "form          12 s",
        "api       2/3 12 s",
        "docs       by ada ",
      ]
    `);
  });

  it('have why a task does not go on before how often it was tried, what that cost, and how long ago it was', () => {
    const failed = (over: Partial<TaskItem> = {}) => [
      anItem({ id: 'form', notes: ['exit code 1'], attempt: '3/3', cost: '$0.12', time: '12 min', ...over }),
    ];
    expect([36, 24, 18].map((width) => rows(width, failed())[0])).toMatchInlineSnapshot(`
      [
        "form  exit code 1   3/3 $0.12 12 min",
        "form  exit code 1 12 min",
        "form     exit cod…",
      ]
    `);
    // How long somebody is waited for stays.
    expect(rows(22, failed({ isWaiting: true }))[0]).toMatch(/12 min$/);
  });

  it('have a title before its agent is named', () => {
    const all = items.map((item) => ({ ...item, title: 'Build the form for signing up' }));
    expect(rows(60, all)[0]).toBe('signup-form  Build the form for signing up  2/3 $0.12 12 min');
    expect(rows(90, all)[0]).toContain(' opencode ');
  });

  it('have titles before what tasks cost, and before the blanks of short times, where they would be cut', () => {
    const titled = (id: string, time: string) =>
      anItem({ id, time, title: 'Value added tax by country, its exemptions', cost: '$0.12' });
    const all = [titled('docs', '42 s'), titled('pdf', '12 min'), titled('api', ''), titled('payments', '')];
    expect(rows(50, all)).toMatchInlineSnapshot(`
      [
        "docs  Value added tax by country, its exempt… 42 s",
        "pdf   Value added tax by country, its exem… 12 min",
        "api   Value added tax by country, its exemptions  ",
        "payments  Value added tax by country, its exempti…",
      ]
    `);
    // With more room for both, what it cost is said.
    expect(rows(62, all)[0]).toContain('$0.12');
  });

  it('have a title in what is blank of its row, where there is no column for titles, before the time of what is over', () => {
    const title = 'Build the form for signing up';
    const all = [
      anItem({ id: 'signup-form', title, word: 'done', time: '42 s' }),
      anItem({ id: 'docs', title, word: 'done', time: '1 min', attempt: '2/3' }),
      anItem({ id: 'pdf', title, word: 'blocked', time: '12 min', isWaiting: true }),
      anItem({ id: 'payments-webhook', title, word: 'active', time: '12 min' }),
      anItem({ id: 'currency', title, word: 'pending' }),
      anItem({ id: 'api', title: 'Routes', word: 'done', time: '3 s' }),
      anItem({ id: 'dunning', title, word: 'pending', notes: ['waits for pdf', 'waits'] }),
    ];
    expect([20, 28].map((width) => rows(width, all))).toMatchInlineSnapshot(`
      [
        [
          "signup-form     42 s",
          "docs           1 min",
          "pdf           12 min",
          "payments-webhook    ",
          "currency  Build the…",
          "api       Routes 3 s",
          "dunning        waits",
        ],
        [
          "signup-form  Build the… 42 s",
          "docs         Build th… 1 min",
          "pdf          Build t… 12 min",
          "payments-webhook      12 min",
          "currency     Build the form…",
          "api          Routes      3 s",
          "dunning      waits for pdf  ",
        ],
      ]
    `);
  });

  it('keep how long somebody is waited for before a title that would have its room', () => {
    const titled = (over: Partial<TaskItem>) =>
      anItem({ id: 'pdf', title: 'Routes', word: 'blocked', time: '12 min', ...over });
    const all = [titled({ isWaiting: true }), titled({}), anItem({ id: 'payments-webhook', time: '12 min' })];
    expect(rows(20, all).slice(0, 2)).toEqual(['pdf           12 min', 'pdf       Routes    ']);
  });

  it('name agents in a narrow list where there are more than two of them, and in a wide one always', () => {
    const agents = ['opencode', 'claude-code', 'codex-cli', 'opencode'];
    const named = (width: number, count: number) => {
      const all = agents.slice(0, count).map((agent, at) => anItem({ id: `task-${at}`, agent }));
      return rows(width, all)[0]?.includes('opencode');
    };
    expect([1, 2, 3, 4].map((count) => named(59, count))).toEqual([false, false, true, true]);
    expect([1, 2].map((count) => named(60, count))).toEqual([true, true]);
  });

  it('do not stand where there is nothing to say', () => {
    expect(rows(40, [anItem({ time: '3 s' })])).toEqual(['parser                               3 s']);
  });

  it('leave an id whole where its row can do without something else: the end of a title, then facts, then the time', () => {
    const long = (over: Partial<TaskItem>) => anItem({ id: 'payments-webhook', ...over });
    const all = [long({}), long({ attempt: '2/3', cost: '$1.10', time: '12 min' }), anItem({ time: '9 s' })];
    expect([20, 27, 31, 36].map((width) => rows(width, all))).toMatchInlineSnapshot(`
      [
        [
          "payments-webhook    ",
          "payments-webhook    ",
          "parser           9 s",
        ],
        [
          "payments-webhook           ",
          "payments-webhook 2/3 12 min",
          "parser                  9 s",
        ],
        [
          "payments-webhook               ",
          "payments-webhook         12 min",
          "parser                      9 s",
        ],
        [
          "payments-webhook                    ",
          "payments-webhook    2/3 $1.10 12 min",
          "parser                           9 s",
        ],
      ]
    `);
    const titled = all.map((item) => ({ ...item, title: 'Take notice of payments, once each' }));
    expect(rows(40, titled)).toMatchInlineSnapshot(`
      [
        "payments-webhook  Take notice of paymen…",
        "payments-webhook  Take notic… 2/3 12 min",
        "parser            Take notice of pa… 9 s",
      ]
    `);
    const waits = long({ notes: ['waits for invoice-api', 'waits for 1', 'waits'] });
    expect([22, 28].map((width) => rows(width, [...all, waits]).at(-1))).toMatchInlineSnapshot(`
      [
        "payments-webhook      ",
        "payments-webhook   waits    ",
      ]
    `);
  });

  it('have why a task waits in one column, two cells behind the ids, and how long somebody is waited for', () => {
    const waits = ['waits for payments-webhook', 'waits for 1', 'waits'];
    const all = [
      anItem({ id: 'pdf', time: '24 min', isWaiting: true }),
      anItem({ id: 'payments-webhook', time: '24 min', isWaiting: true }),
      anItem({ id: 'dunning', notes: waits }),
      anItem({ id: 'customer-portal-invoice-list-and-downloads', notes: waits }),
    ];
    expect([20, 26].map((width) => rows(width, all))).toMatchInlineSnapshot(`
      [
        [
          "pdf           24 min",
          "payments-web… 24 min",
          "dunning        waits",
          "customer-por…  waits",
        ],
        [
          "pdf                 24 min",
          "payments-webhook    24 min",
          "dunning              waits",
          "customer-portal-in…  waits",
        ],
      ]
    `);
  });

  it('are not widened by one id that is much longer than the others', () => {
    const title = 'Value added tax by country';
    const all = ['docs', 'pdf', 'payments-webhook', 'invoice-api', 'tax-rules-of-every-country'].map((id) =>
      anItem({ id, title }),
    );
    expect(rows(45, all)).toMatchInlineSnapshot(`
      [
        "docs              Value added tax by country ",
        "pdf               Value added tax by country ",
        "payments-webhook  Value added tax by country ",
        "invoice-api       Value added tax by country ",
        "tax-rules-of-every-country  Value added tax …",
      ]
    `);
  });

  it('cut one that is longer than its row where it has nothing else to say', () => {
    const portal = anItem({ id: 'customer-portal-invoice-list-and-downloads' });
    const timed = anItem({ id: portal.id, time: '12 min' });
    expect(rows(20, [portal, timed])).toMatchInlineSnapshot(`
      [
        "customer-portal-inv…",
        "customer-por… 12 min",
      ]
    `);
    // What is left behind why it waits is its own.
    const waits = { ...portal, notes: ['waits for pdf', 'waits'] };
    expect([40, 60].map((width) => rows(width, [waits, timed])[0])).toMatchInlineSnapshot(`
      [
        "customer-portal-invoice-…  waits for pdf",
        "customer-portal-invoice-list-and-downloads  waits for pdf   ",
      ]
    `);
    // Nor does it take the title away.
    const [row] = rows(60, [{ ...portal, title: 'Customers see their invoices' }, timed]);
    expect(row).toMatchInlineSnapshot(`"customer-portal-invoice-list-…  Customers see their invoices"`);
  });

  it('keep the time of those that wait where an id is cut, also in a narrow list', () => {
    const all = [
      anItem({ id: 'customer-portal-invoice-list', time: '3 min' }),
      anItem({ id: 'b', time: '54 s', isWaiting: true }),
    ];
    expect(rows(15, all)).toMatchInlineSnapshot(`
      [
        "customer… 3 min",
        "b          54 s",
      ]
    `);
  });

  it('say why a task does not go on before the end of an id that is cut anyway', () => {
    const notes = ['no runner at work', 'no runner'];
    const all = [anItem({ id: 'customer-portal-invoice-list-and-downloads', notes })];
    expect([17, 18, 20].map((width) => rows(width, all)[0])).toMatchInlineSnapshot(`
      [
        "customer-portal-…",
        "custome… no runner",
        "customer-… no runner",
      ]
    `);
    const failed = [anItem({ id: 'customer-portal-invoice-list', notes: ['exit code 1 of the agent'] })];
    expect(rows(20, failed)).toMatchInlineSnapshot(`
      [
        "customer-portal-inv…",
      ]
    `);
  });

  it('are as wide together as the list, or less, whatever is in them', () => {
    const text = fc.oneof(fc.constant(''), fc.string({ maxLength: 30 }), fc.constant('寿司'.repeat(8)));
    const any = fc.record({
      id: fc.string({ minLength: 1, maxLength: 50 }),
      title: text,
      word: fc.constant('active'),
      attempt: text,
      agent: text,
      model: text,
      time: text,
      isWaiting: fc.boolean(),
      cost: text,
      notes: fc.array(text, { maxLength: 2 }),
    });
    fc.assert(
      fc.property(
        fc.array(any, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 10, max: 120 }),
        (all, width) => {
          const widths = new Set(rows(width, all).map(cellsOf));
          expect(widths.size).toBe(1);
          expect(Math.max(...widths)).toBeLessThanOrEqual(width);
        },
      ),
    );
  });
});
