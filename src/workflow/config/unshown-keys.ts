import { z } from 'zod';
import { withoutDefault } from './config-keys.ts';

/** What is said of a value that does not fit, in place of the value: it may be a secret. */
const rules = z.registry<{ rule: string }>();

/** Has a mistake in a key of this schema told by `rule`, and the value never be shown. */
export function refuses<S extends z.ZodType>(schema: S, rule: string): S {
  rules.add(schema, { rule });
  return schema;
}

/** What is said of a value that does not fit; `undefined`: the value may be shown. */
export function refusalRule(schema: z.ZodType): string | undefined {
  return rules.get(withoutDefault(schema))?.rule;
}

/** Whether variables in the values of a key are left for whoever uses them, and only they need to be set. */
export function hasLateVariables([section, key]: readonly string[]): boolean {
  return section === 'notify' && key === 'channels';
}
