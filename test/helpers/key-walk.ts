import { keymap } from '../../src/tui/keys/keymap.ts';
import { keymap as overviewKeymap } from '../../src/tui/overview/overview-keys.ts';
import { WAITING } from '../../src/tui/panes/hints.tsx';
import { bytesOf } from './key-bytes.ts';
import type { PtyScreen } from './pty-screen.ts';

type Hinted = { readonly keys: readonly string[]; readonly hint?: readonly [string, string] };

/** Where keys go, as the keymap has it: on the screen of a sprint, and in the overview. */
const places = new Map<string, readonly Hinted[]>([
  ...Object.entries(keymap),
  ...Object.entries(overviewKeymap).map(([at, bindings]) => [`overview ${at}`, bindings] as const),
]);

/** Every key of every place. */
export const allKeys: readonly string[] = [...places].flatMap(([place, bindings]) =>
  [...new Set(bindings.flatMap(({ keys }) => keys))].map((key) => `${place}: ${key}`),
);

/** What has to be seen after a key, and could be seen before it. */
export type Seen = (now: readonly string[], before: readonly string[]) => boolean;

/** Presses keys of a program on a terminal where a person would, and sees what each of them does. */
export class KeyWalk {
  #screen: PtyScreen;
  /** As in {@link allKeys}. */
  readonly pressed = new Set<string>();

  constructor(screen: PtyScreen) {
    this.#screen = screen;
  }

  /** Goes on on another screen. */
  on(screen: PtyScreen): void {
    this.#screen = screen;
  }

  /** Presses a key where this place takes it, and waits until what it has to do is to be seen. */
  async press(place: string, key: string, seen: Seen): Promise<void> {
    await this.see(`${place} for ${key}`, at(place));
    const before = this.#screen.lines();
    this.#screen.press(bytesOf(key));
    this.pressed.add(`${place}: ${key}`);
    await this.see(`${key} in ${place}`, (now) => seen(now, before), before);
  }

  /** Types a text, which no key of the keymap is. */
  async type(text: string, seen: Seen): Promise<void> {
    const before = this.#screen.lines();
    this.#screen.press(text);
    await this.see(`typed ${text}`, (now) => seen(now, before), before);
  }

  /** Waits until this is to be seen. @throws {Error} with the screen, when it is not. */
  async see(what: string, seen: Seen, before: readonly string[] = []): Promise<void> {
    if (await this.#screen.becomes((now) => seen(now, before))) return;
    throw new Error([`Not seen: ${what}. Before:`, ...before, 'Now:', ...this.#screen.lines()].join('\n'));
  }
}

/** The line of hints names keys of this place, and none that it has not; where nothing takes keys yet, none that counts. */
export function at(place: string): Seen {
  const names = new Set((places.get(place) ?? []).flatMap(({ hint }) => (hint ? [hint.join(' ')] : [])));
  if (!places.has(place)) throw new Error(`There is no place ${place}`);
  return (now) => {
    const hints = hintsIn(now);
    if (names.size === 0) return hints.every((hint, index) => index > 0 || hint.startsWith(WAITING));
    return hints.length > 0 && hints.every((hint) => names.has(hint));
  };
}

/** The line of hints names this. */
export function hinted(hint: RegExp): Seen {
  return (now) => hintsIn(now).some((each) => hint.test(each));
}

function hintsIn(lines: readonly string[]): string[] {
  return (lines.at(-1) ?? '')
    .split(' · ')
    .map((hint) => hint.trim())
    .filter((hint) => hint !== '');
}

/** Has this somewhere. */
export function has(text: string | RegExp): Seen {
  return (now) => now.join('\n').search(text instanceof RegExp ? text : literal(text)) >= 0;
}

/** Has it no more. */
export function hasNot(text: string | RegExp): Seen {
  const found = has(text);
  return (now, before) => !found(now, before);
}

/** All of these. */
export function all(...each: readonly Seen[]): Seen {
  return (now, before) => each.every((seen) => seen(now, before));
}

/** The number in this, of its first match, has become another: greater, or less. */
export function moves(how: 'up' | 'down', number: RegExp): Seen {
  const numberIn = (lines: readonly string[]) => Number(number.exec(lines.join('\n'))?.[1]);
  return (now, before) => {
    const [to, from] = [numberIn(now), numberIn(before)];
    return how === 'down' ? to > from : to < from;
  };
}

/** The cursor of a list stands further up, or down. */
export function cursor(how: 'up' | 'down'): Seen {
  const rowOf = (lines: readonly string[]) =>
    lines.reduce((sum, line, row) => sum + row * (line.match(/(?:^|[│┃]) ?›/g)?.length ?? 0), 0);
  return (now, before) => (how === 'down' ? rowOf(now) > rowOf(before) : rowOf(now) < rowOf(before));
}

/** The box in which something is typed has a row more. */
export const boxGrows: Seen = (now, before) => rowsOfBox(now) > rowsOfBox(before);

function rowsOfBox(lines: readonly string[]): number {
  const rowOf = (corner: string) => lines.findIndex((line) => line.includes(corner));
  return rowOf('╰') - rowOf('╭');
}

function literal(text: string): RegExp {
  return new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
}
