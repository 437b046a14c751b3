import type { EventType } from './catalog.ts';

/** KeyedQueue `data` of one version into the next. Pure. */
export type Upcaster = (data: unknown) => unknown;

/**
 * Per event type, how old `data` becomes new: the function at index `n` turns version `n + 1` into
 * `n + 2`. The current version of a type is one more than the number of its upcasters. The log
 * itself is never rewritten.
 */
export type Upcasters = { readonly [T in EventType]?: readonly Upcaster[] };

/** The upcasters of this Clifford. A type that is not named is still at version 1. */
export const upcasters: Upcasters = { 'policy.ruleadded': [boundRule] };

/** The `schemaversion` that this Clifford writes for a type. */
export function currentSchemaVersion(type: EventType, table: Upcasters = upcasters): number {
  return (table[type]?.length ?? 0) + 1;
}

/** Brings `data` of version `from` to the current version of `type`. */
export function upcast(type: EventType, from: number, data: unknown, table: Upcasters = upcasters): unknown {
  return (table[type] ?? []).slice(from - 1).reduce((older, up) => up(older), data);
}

/**
 * `{ rule, by }` of version 1 said nothing of the definition of the tool. It was never acted on, and is
 * read as a rule that no definition fits.
 */
function boundRule(data: unknown): unknown {
  const { rule, by } = data as { rule: Readonly<Record<string, unknown>>; by: unknown };
  const named = (value: unknown) => (typeof value === 'string' && value !== '' ? value : '*');
  return {
    ruleId: 'version-1',
    server: named(rule['server']),
    tool: named(rule['tool']),
    definitionDigest: '',
    scope: { kind: 'always' },
    by,
  };
}
