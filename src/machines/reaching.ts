import type { EventType, eventCatalog } from '../events/catalog.ts';
import type { Reach } from '../events/descriptor.ts';

/** The types of the events whose descriptors say that they reach a machine, in one of these ways. */
export type Reaching<M extends keyof Reach, How extends Reach[M] = NonNullable<Reach[M]>> = {
  [T in EventType]: (typeof eventCatalog)[T] extends { readonly reaches?: { readonly [K in M]: How } }
    ? T
    : never;
}[EventType];
