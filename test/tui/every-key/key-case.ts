import { expect } from 'vitest';
import type { Pressed } from '../../helpers/pressed-keys.tsx';

/**
 * What a key has to do where it is pressed. The other keys of its binding are pressed there as well, and have to do the
 * same.
 */
export type KeyCase<State, Done> = {
  readonly key: string;
  readonly given: State;
  /** A part of the screen afterwards. */
  readonly state?: object;
  /** All of what is done outside of it. */
  readonly effects?: readonly Done[];
  /** What cannot be said as data. */
  readonly check?: (pressed: Pressed<State, Done>) => void;
};

/** Checks what a key did. What is not mentioned of effects did not happen. */
export function expectDone<State extends object, Done>(
  { state, effects = [], check }: KeyCase<State, Done>,
  pressed: Pressed<State, Done>,
): void {
  expect(pressed.effects).toEqual(effects);
  if (state) expect(pressed.after).toMatchObject(state);
  check?.(pressed);
  const says = state !== undefined || effects.length > 0 || check !== undefined;
  expect(says, 'a case that expects nothing proves nothing').toBe(true);
}
