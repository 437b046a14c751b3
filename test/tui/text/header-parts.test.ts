import { expect, it } from 'vitest';
import { cellsOf } from '../../../src/lib/text/cells.ts';
import { headerParts } from '../../../src/tui/text/header-parts.ts';
import { aCallQuestion, aQuestion, aSprint } from '../../helpers/screen-views.ts';

const life = { long: 21, short: 12, none: 0 };

it('never pushes out what is done and what waits for a human, at any width, whatever the name is', () => {
  const { tasks } = aSprint();
  const open = [aQuestion(), aCallQuestion({ id: 'c-1' })];
  const wrong: string[] = [];
  for (const name of ['a', 'Checkout rewrite', '寿司'.repeat(60)])
    for (const left of [undefined, '', 'no runner at work'])
      for (let columns = 40; columns <= 300; columns += 1) {
        const fixed = left && columns < 60 ? 'no runner' : left;
        const contents = { name, open, tasks, head: 11, columns, fixed, states: '1 of 3 done · 2 pending' };
        const parts = headerParts(contents);
        const end = fixed === undefined ? life[parts.life] : cellsOf(fixed);
        const others = [parts.bar, cellsOf(parts.counts), cellsOf(parts.open) + 4, end].filter(
          (each) => each > 0,
        );
        // Two blanks before each, and one between the bar and its count.
        const gaps = 2 * others.length - (parts.bar > 0 ? 1 : 0);
        const cells = [11, cellsOf(parts.name), gaps, ...others];
        if (cells.reduce((sum, each) => sum + each, 0) > columns - 2) wrong.push(`${columns} too wide`);
        if (!/^1(\/3| of 3)/.test(parts.counts) || !/^(2$|2 open|1 question)/.test(parts.open))
          wrong.push(`${columns} ${parts.counts} ${parts.open}`);
      }
  expect(wrong).toEqual([]);
});

it('says more the wider it is', () => {
  const { tasks } = aSprint();
  const at = (columns: number) =>
    headerParts({
      name: 'Checkout rewrite',
      open: [],
      tasks,
      head: 10,
      columns,
      fixed: undefined,
      states: '1 of 3 done · 1 active · 1 pending',
    });
  expect(at(50)).toEqual({ name: 'Checkout rewrite', bar: 0, counts: '1/3', open: '', life: 'short' });
  expect(at(80)).toMatchObject({ bar: 10, counts: '1 of 3 done', life: 'long' });
  expect(at(120)).toMatchObject({ bar: 20, counts: '1 of 3 done · 1 active · 1 pending' });
});

it('says how many have failed as long as there is room, and drops that before what is done', () => {
  const { tasks } = aSprint();
  const contents = {
    name: 'Checkout rewrite',
    open: [aQuestion()],
    tasks: tasks.map((task, at) =>
      at === 0 ? ({ ...task, state: 'done', detail: 'failed' } as const) : task,
    ),
    head: 10,
    fixed: undefined,
    states: '1 failed · 1 active · 1 pending',
  };
  expect(headerParts({ ...contents, columns: 72 }).counts).toBe('0/3, 1 failed');
  expect(headerParts({ ...contents, columns: 82 }).counts).toBe('0 of 3 done, 1 failed');
  expect(headerParts({ ...contents, columns: 40 }).counts).toBe('0/3');
});

it('says in a word less what waits before the name is cut', () => {
  const { tasks } = aSprint();
  const open = [aQuestion(), ...['c-1', 'c-2', 'c-3'].map((id) => aCallQuestion({ id }))];
  const name = 'Bill customers in twelve countries';
  const fixed = 'no runner at work';
  const at = (columns: number) => headerParts({ name, open, tasks, head: 8, columns, fixed, states: '' });
  expect(at(160)).toMatchObject({ name, open: '1 question, 3 approvals' });
  expect(at(96)).toMatchObject({ name, open: '4 open' });
});

it('gives up counting each state before the name says too little', () => {
  const { tasks } = aSprint();
  const parts = headerParts({
    name: 'Greet people in their language',
    open: [aQuestion()],
    tasks,
    head: 11,
    columns: 120,
    fixed: undefined,
    states: '1 of 3 done · 1 blocked · 1 pending',
  });
  expect(parts).toMatchObject({ name: 'Greet people in their language', counts: '1 of 3 done', bar: 10 });
});

it('says in one word less what waits before the name says nothing, where nobody runs a sprint', () => {
  const { tasks } = aSprint();
  const contents = { name: 'Greet people', open: [aQuestion()], tasks, head: 11, states: '' };
  const at = (columns: number) => headerParts({ ...contents, columns, fixed: 'no runner' });
  expect(at(40)).toMatchObject({ name: 'Gre…', counts: '1/3', open: '1' });
  expect(at(46)).toMatchObject({ open: '1' });
  expect(at(52)).toMatchObject({ name: 'Greet …', counts: '1/3', open: '1 question' });
});

it('has the whole name before a bar, and before how long ago in full, unless it is very long', () => {
  const { tasks } = aSprint();
  const at = (name: string) =>
    headerParts({
      name,
      open: [aQuestion(), aCallQuestion({ id: 'c-1' })],
      tasks,
      head: 11,
      columns: 102,
      fixed: undefined,
      states: '1 of 3 done · 1 active · 1 pending',
    });
  expect(at('Bill customers in twelve countries')).toMatchObject({
    name: 'Bill customers in twelve countries',
    counts: '1 of 3 done',
    open: '1 question, 1 approval',
    bar: 0,
    life: 'short',
  });
  expect(at('n'.repeat(90)).name).toMatch(/^n{20,}…$/);
});
