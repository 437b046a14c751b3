import type { Hidden } from '../approval.ts';
import { keyBlockOf } from './private-key.ts';
import { secretsOf } from './redaction.ts';

/** Takes secrets out of texts, and counts what it took. Where they were, the text says how much is missing. */
export type SecretHider = {
  readonly hide: (text: string) => string;
  /** What was taken out of all texts so far; `undefined`: nothing. */
  readonly hidden: () => Hidden | undefined;
};

/** With one of these a shell does something else, also in the password of a URL. */
const shellSyntax = /[\s`;|&()<>'"\\]/;

/**
 * Takes out values of variables whose names look secret, tokens of a known shape, and bodies of private keys. What
 * looks like a key and could be a command stays.
 */
export function hideSecrets(env: Readonly<Record<string, string | undefined>>): SecretHider {
  const { replaceIn } = secretsOf(env);
  let hidden: Hidden | undefined;
  const marked = (text: string, name?: string) => {
    const taken = sizeOf(text);
    hidden = added(hidden, taken);
    return `[hidden${name === undefined ? '' : ` ${name}`}: ${sizeText(taken)}]`;
  };
  return {
    hide: (text) =>
      replaceIn(text, (found, name) => {
        if (name !== undefined) return marked(found, name);
        const key = keyBlockOf(found);
        if (key) return `${key.before}${marked(key.body)}${key.after}`;
        return shellSyntax.test(found) ? undefined : marked(found);
      }),
    hidden: () => hidden,
  };
}

/** One text that is hidden. */
export function sizeOf(text: string): Hidden {
  return { values: 1, characters: text.length, lines: text.split('\n').length };
}

/** What two countings found together. */
export function added(one: Hidden | undefined, other: Hidden | undefined): Hidden | undefined {
  if (!one || !other) return one ?? other;
  return {
    values: one.values + other.values,
    characters: one.characters + other.characters,
    lines: one.lines + other.lines,
  };
}

/** `1,674 characters, 27 lines`. */
export function sizeText({ characters, lines, values }: Hidden): string {
  const count = `${characters.toLocaleString('en-US')} ${characters === 1 ? 'character' : 'characters'}`;
  return lines > values ? `${count}, ${lines.toLocaleString('en-US')} lines` : count;
}
