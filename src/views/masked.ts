import { isSecretName } from '../events/redaction.ts';

/** What the log has in place of a secret that it knew. */
const redacted = /^\[redacted(:\w+)?\]$/;

/** Whether the name of an argument says that what it holds is secret. `key` by itself mostly names what is looked up. */
export function saysSecret(name: string): boolean {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  return words !== 'key' && (isSecretName(words) || words.endsWith('authorization'));
}

/** What stands for a secret. */
export function maskOf(text: string): string {
  return `[masked, ${text.length} characters]`;
}

/** A JSON value with a mask for each string below a name that says it is secret. */
export function maskSecrets(value: unknown, isSecret = false): unknown {
  if (typeof value === 'string') return isSecret && !redacted.test(value) ? maskOf(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => maskSecrets(item, isSecret));
  const members = Object.entries(value).map(([name, item]: [string, unknown]) => [
    name,
    maskSecrets(item, isSecret || saysSecret(name)),
  ]);
  return Object.fromEntries(members);
}
