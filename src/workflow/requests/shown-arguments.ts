import type { Approval } from '../../events/approval.ts';
import { isCut } from '../../events/cut-arguments.ts';
import type { SecretHider } from '../../events/secrets/hidden-secrets.ts';
import { MAX_TEXT_LENGTH } from '../../events/field-schemas.ts';
import { clip } from '../../lib/text/clip.ts';

type Json = Approval['args'];

/** Deeper ones are shown as text: nobody reads them as a tree, and each level costs a stack frame. */
const MAX_DEPTH = 50;

/**
 * The arguments of a call for a human to see: secrets taken out and counted, whole up to
 * {@link MAX_TEXT_LENGTH} UTF-16 units of JSON, else the beginning of their text and its length.
 *
 * @param args - JSON, or nothing.
 */
export function shownArguments(
  args: unknown,
  newHider: () => SecretHider,
): Pick<Approval, 'args' | 'hidden'> {
  const asTree = newHider();
  const shown = withoutSecrets(args ?? null, asTree.hide, MAX_DEPTH);
  const text = shown === undefined ? '' : JSON.stringify(shown);
  if (shown !== undefined && text.length <= MAX_TEXT_LENGTH) return { args: shown, ...count(asTree) };
  const asText = newHider();
  const whole = shown === undefined ? asText.hide(JSON.stringify(args)) : text;
  return {
    args: { cut: whole.slice(0, MAX_TEXT_LENGTH), length: whole.length },
    ...count(shown === undefined ? asText : asTree),
  };
}

function count({ hidden }: SecretHider): Pick<Approval, 'hidden'> {
  const taken = hidden();
  return taken === undefined ? {} : { hidden: taken };
}

/** So much of them, with the mark of a cut, is said in the one line that stands for the call in lists. */
const BRIEF_LENGTH = 121;

/** The arguments of a call that a human sees, in a line. */
export function briefArguments({ args }: Pick<Approval, 'args'>): string {
  return clip(JSON.stringify(args), BRIEF_LENGTH);
}

/** Whether the arguments that a human sees are less than those that run. */
export function isShownInPart({ args, hidden }: Pick<Approval, 'args' | 'hidden'>): boolean {
  return hidden !== undefined || isCut(args);
}

/** `undefined` when it is deeper than `depth`. */
function withoutSecrets(value: unknown, hide: (text: string) => string, depth: number): Json | undefined {
  if (typeof value === 'string') return hide(value);
  if (typeof value === 'number') {
    const text = JSON.stringify(value);
    const shown = hide(text);
    return shown === text ? value : shown;
  }
  if (typeof value === 'boolean' || value === null) return value;
  if (depth === 0 || typeof value !== 'object') return undefined;
  if (Array.isArray(value)) {
    const items = value.map((item) => withoutSecrets(item, hide, depth - 1));
    return items.includes(undefined) ? undefined : (items as Json[]);
  }
  const entries = new Map<string, Json>();
  for (const [key, item] of Object.entries(value)) {
    const shown = withoutSecrets(item, hide, depth - 1);
    if (shown === undefined) return undefined;
    // Two keys that are secrets may look the same without them: no value takes the place of another.
    let name = hide(key);
    while (entries.has(name)) name += ' again';
    entries.set(name, shown);
  }
  // An own `__proto__` is a key like any other here.
  return Object.fromEntries(entries);
}
