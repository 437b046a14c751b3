import type { z } from 'zod';
import { kindText, typeText } from '../lib/json/kind-text.ts';

/** Why a value does not fit, in words for the person who wrote the file: the first thing that is wrong. */
export function plainReason({ issues: [issue] }: z.ZodError, value: unknown): string {
  if (!issue) return 'it has the wrong form';
  const actual = valueAt(value, issue.path);
  if (issue.path.length === 0) return `it contains ${kindText(actual)}, not ${typeText('object')}`;
  const field = `"${issue.path.join('.')}"`;
  if (actual === undefined) return `${field} is missing`;
  switch (issue.code) {
    case 'invalid_type':
      return `${field} is ${kindText(actual)}, not ${typeText(issue.expected)}`;
    case 'invalid_value':
      return `${field} has to be ${JSON.stringify(issue.values[0])}`;
    case 'too_big':
      return `${field} has more than ${issue.maximum.toLocaleString('en-US')} ${Array.isArray(actual) ? 'entries' : 'characters'}`;
    case 'too_small':
      return Array.isArray(actual) && actual.length > 0
        ? `${field} has fewer than ${issue.minimum} entries`
        : `${field} is empty`;
    default:
      return `${field} ${issue.message}`;
  }
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value;
  for (const key of path) {
    found = typeof found === 'object' && found !== null ? Reflect.get(found, key) : undefined;
  }
  return found;
}
