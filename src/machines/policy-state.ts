import type { EventData } from '../events/catalog.ts';

/** A human's lasting yes to a tool as it was defined then. `at` is RFC 3339. */
export type RecordedRule = Omit<EventData<'policy.ruleadded'>, 'ruleId'> & {
  readonly id: string;
  readonly at: string;
  /** The stream that says so, and would say that it is over. */
  readonly recordedIn: string;
};

/** Server → tool → digest of the definition that is known. */
export type Pins = ReadonlyMap<string, ReadonlyMap<string, string>>;
