import type { KeyBinding, KeyName, Scrollable } from './binding.ts';

/** The action of a key, if it has one there. The first binding that applies counts. */
export function actionFor<Now, Does>(
  bindings: readonly KeyBinding<Now, Does>[],
  key: string,
  now: Now,
): Does | undefined {
  return bindings.find((binding) => binding.keys.includes(key) && applies(binding, now))?.action;
}

/** The bindings that apply, each by what its first key does then. */
export function usable<Now, Does>(
  bindings: readonly KeyBinding<Now, Does>[],
  now: Now,
): readonly KeyBinding<Now, Does>[] {
  const all = bindings.filter((binding) => applies(binding, now));
  return all.filter(({ keys: [key = ''] }, at) => all.findIndex(({ keys }) => keys.includes(key)) === at);
}

/** What the hint line says: the keys that are of use, in the order of the keymap, and of each what it does first. */
export function hintsFor<Now, Does>(
  bindings: readonly KeyBinding<Now, Does>[],
  now: Now,
  room: Scrollable,
): KeyName[] {
  const said = bindings.flatMap((binding) => {
    const { hint, moves } = binding;
    return hint && applies(binding, now) && (moves === undefined || moves(room)) ? [hint] : [];
  });
  return said.filter(([keys], at) => said.findIndex(([other]) => other === keys) === at);
}

/** The lines of the help: what a key does in different situations is one line, unless the help has words for each. */
export function namesOf<Now, Does>(bindings: readonly KeyBinding<Now, Does>[]): KeyName[] {
  const named = bindings.flatMap(({ hint, help }) => {
    const name = help ?? hint;
    return name ? [{ name, isHelp: help !== undefined }] : [];
  });
  return [...Map.groupBy(named, ({ name: [keys] }) => keys)].flatMap(([keys, all]): KeyName[] => {
    const helps = all.filter(({ isHelp }) => isHelp);
    const texts = [...new Set((helps.length > 0 ? helps : all).map(({ name: [, what] }) => what))];
    return helps.length > 0 ? texts.map((what) => [keys, what]) : [[keys, texts.join(', or ')]];
  });
}

/** The binding where a condition holds, beside its own. */
export function only<Now, Does>(
  holds: (now: Now) => boolean,
  binding: KeyBinding<Now, Does>,
): KeyBinding<Now, Does> {
  return { ...binding, when: (now) => holds(now) && applies(binding, now) };
}

function applies<Now, Does>({ when }: KeyBinding<Now, Does>, now: Now): boolean {
  return when === undefined || when(now);
}
