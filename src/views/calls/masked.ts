import { count } from '../../lib/text/count.ts';
import type { Approval, Hidden } from '../../events/approval.ts';
import { added, sizeOf, sizeText } from '../../events/secrets/hidden-secrets.ts';
import { hiddenMark } from '../../events/secrets/hidden-mark.ts';
import { isSecretName } from '../../events/secrets/secret-names.ts';

/** What stands in place of a secret, and nothing else. */
const redacted = new RegExp(`^${hiddenMark.source}$`);
/** What could be a key: one word, as passwords and tokens are. No shell has more than one to do with it. */
const keyWord = /^(?:(?:Bearer|Basic|Token) )?[A-Za-z0-9][A-Za-z0-9+/=_.~:@!#%^*?,-]*$/;

/** Whether the name of an argument says that what it holds is secret. `key` by itself mostly names what is looked up. */
export function saysSecret(name: string): boolean {
  return !/^keys?$/i.test(name) && isSecretName(name);
}

/** What stands for a secret; `undefined` for a text that is to be seen, whatever its name says. */
export function maskOf(text: string): string | undefined {
  return keyWord.test(text) && !redacted.test(text) ? `[masked, ${text.length} characters]` : undefined;
}

/** A JSON value with a mask for each string that looks like a secret below a name that says so. */
export function maskSecrets(value: Approval['args'], isSecret = false): Approval['args'] {
  if (typeof value === 'string') return (isSecret ? maskOf(value) : undefined) ?? value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => maskSecrets(item, isSecret));
  const members = Object.entries(value).map(
    ([name, item]) => [name, maskSecrets(item, isSecret || saysSecret(name))] as const,
  );
  return Object.fromEntries(members);
}

/** `1 value hidden: 1,674 characters, 27 lines`, of what a person does not see of a call; `undefined`: nothing. */
export function hiddenText({ args, hidden }: Pick<Approval, 'args' | 'hidden'>): string | undefined {
  const all = added(hidden, maskedIn(args, false));
  return all && `${count(all.values, 'value')} hidden: ${sizeText(all)}`;
}

function maskedIn(value: unknown, isSecret: boolean): Hidden | undefined {
  if (typeof value === 'string') return isSecret && maskOf(value) !== undefined ? sizeOf(value) : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  const members = Array.isArray(value)
    ? value.map((item: unknown) => maskedIn(item, isSecret))
    : Object.entries(value).map(([name, item]: [string, unknown]) =>
        maskedIn(item, isSecret || saysSecret(name)),
      );
  return members.reduce(added, undefined);
}
