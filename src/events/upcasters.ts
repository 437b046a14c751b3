import { descriptorOf, eventTypes, type EventType } from './catalog.ts';
import type { Upcaster } from './descriptor.ts';

/**
 * Per event type, how old `data` becomes new: the function at index `n` turns version `n + 1` into
 * `n + 2`. The current version of a type is one more than the number of its upcasters. The log
 * itself is never rewritten.
 */
export type Upcasters = { readonly [T in EventType]?: readonly Upcaster[] };

/** The upcasters of this Clifford. A type that is not named is still at version 1. */
export const upcasters: Upcasters = Object.fromEntries(
  eventTypes.flatMap((type) => {
    const { upcasters: own } = descriptorOf(type);
    return own ? [[type, own]] : [];
  }),
);

/** The `schemaversion` that this Clifford writes for a type. */
export function currentSchemaVersion(type: EventType, table: Upcasters = upcasters): number {
  return (table[type]?.length ?? 0) + 1;
}

/** Brings `data` of version `from` to the current version of `type`. */
export function upcast(type: EventType, from: number, data: unknown, table: Upcasters = upcasters): unknown {
  return (table[type] ?? []).slice(from - 1).reduce((older, up) => up(older), data);
}
