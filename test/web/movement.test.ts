import { expect, it } from 'vitest';
import { movement } from '../../src/web/page/parts/movement.ts';

/** What a reader does at a time, in ms, which is heard of at once, or later; a scroll has no time of its own. */
type Doing = readonly [what: string, at: number, heard?: number];

/** When the movement began that the last of these, a scroll, belongs to. */
function began(...doings: readonly Doing[]): number {
  let now = 0;
  const { hear, scrolled } = movement(() => now);
  let begun = NaN;
  for (const [what, at, heard = at] of doings) {
    now = heard;
    if (what === 'scroll') begun = scrolled();
    else if (what === 'repeat') hear({ type: 'keydown', timeStamp: at, repeat: true });
    else hear({ type: what, timeStamp: at });
  }
  return begun;
}

it.each<[string, number, readonly Doing[]]>([
  ['a scroll that nothing is heard of before begins when it is heard of', 1_000, [['scroll', 1_000]]],
  [
    'it goes on without a pause',
    1_000,
    [
      ['scroll', 1_000],
      ['scroll', 1_250],
      ['scroll', 1_500],
    ],
  ],
  [
    'another one begins behind one',
    1_251,
    [
      ['scroll', 1_000],
      ['scroll', 1_251],
    ],
  ],
  [
    'a wheel began when it was turned, not when that is heard of',
    1_000,
    [
      ['wheel', 1_000, 1_200],
      ['scroll', 1_240],
    ],
  ],
  [
    'a wheel that is turned on began when it was turned first, however late that is heard of',
    1_000,
    [
      ['wheel', 1_000],
      ['scroll', 1_020],
      ['wheel', 1_060, 1_350],
      ['scroll', 1_360],
    ],
  ],
  [
    'behind a finger it swings on',
    1_000,
    [
      ['touchstart', 1_000],
      ['touchmove', 1_100],
      ['scroll', 1_300],
      ['scroll', 1_500],
    ],
  ],
  [
    'a key begins another one at once',
    1_100,
    [
      ['keydown', 1_000],
      ['scroll', 1_016],
      ['keydown', 1_100],
      ['scroll', 1_116],
    ],
  ],
  [
    'a finger does',
    1_100,
    [
      ['scroll', 1_000],
      ['touchstart', 1_100],
      ['scroll', 1_116],
    ],
  ],
  [
    'a button that is pressed does',
    1_100,
    [
      ['scroll', 1_000],
      ['pointerdown', 1_100],
      ['scroll', 1_116],
    ],
  ],
  [
    'a key that is held down began when it was pressed, however long its first pause is',
    1_000,
    [
      ['keydown', 1_000],
      ['scroll', 1_016],
      ['repeat', 1_500],
      ['scroll', 1_516],
    ],
  ],
  [
    'a wheel begins none while one goes on',
    1_000,
    [
      ['pointerdown', 1_000],
      ['wheel', 1_100],
      ['scroll', 1_116],
    ],
  ],
])('%s', (_, expected, doings) => {
  expect(began(...doings)).toBe(expected);
});
