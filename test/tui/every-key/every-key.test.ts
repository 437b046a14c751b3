import { afterAll, describe, expect, it } from 'vitest';
import { allBoundKeys, openKeyboard, type BoundKey, type Pressed } from '../../helpers/pressed-keys.tsx';
import { callCases } from './call-cases.ts';
import { expectDone, type KeyCase } from './key-case.ts';
import { otherCases } from './other-cases.ts';
import { overviewCases } from './overview-cases.ts';
import { paletteCases } from './palette-cases.ts';
import { pastCases } from './past-cases.ts';
import { questionCases } from './question-cases.ts';
import { sprintCases } from './sprint-cases.ts';

/** In one of them all keys of a binding are pressed, in the others its first one: which of them it was makes no difference to a layout. */
const layouts = [
  ['narrow', 48, 20, { isEach: false }],
  ['normal', 100, 30, { isEach: true }],
  ['wide', 160, 45, { isEach: false }],
] as const;

describe.each(layouts)('in a %s terminal', (_name, columns, rows, { isEach }) => {
  const keyboard = openKeyboard(columns, rows);
  const pressed = new Set<string>();
  const named = ({ binding, key }: BoundKey) => (isEach ? `${binding} with ${key}` : binding);
  afterAll(() => keyboard.close());

  /** Presses the key of a case, and the others that its binding has, if each is to be pressed. */
  async function press<State extends object, Done>(
    each: KeyCase<State, Done>,
    on: (given: State, key: string) => Promise<Pressed<State, Done>>,
  ): Promise<void> {
    const waiting = [each.key];
    for (const key of waiting) {
      const done = await on(each.given, key);
      if (isEach && key === each.key) waiting.push(...done.siblings.filter((other) => other !== key));
      if (done.bound) pressed.add(named(done.bound));
      expectDone(each, done);
    }
  }

  /** Of how many cases the keys did what they have to. */
  async function pressAll<State extends object, Done>(
    cases: readonly KeyCase<State, Done>[],
    on: (given: State, key: string) => Promise<Pressed<State, Done>>,
  ): Promise<number> {
    for (const each of cases) await press(each, on);
    return cases.length;
  }

  it.each([
    ['where nothing is typed', sprintCases],
    ['in the past', pastCases],
    ['of a question', questionCases],
    ['of a call', callCases],
    ['of the palette', paletteCases],
    ['of any other place', otherCases],
  ])('each key %s does what it is bound to', async (_where, cases) => {
    expect(await pressAll(cases, keyboard.onSprint)).toBe(cases.length);
  });

  it('each key of the overview does what it is bound to', async () => {
    expect(await pressAll(overviewCases, keyboard.onOverview)).toBe(overviewCases.length);
  });

  it('all that the keymap has were pressed', () => {
    expect(
      allBoundKeys()
        .map(named)
        .filter((name) => !pressed.has(name)),
    ).toEqual([]);
  });
});
