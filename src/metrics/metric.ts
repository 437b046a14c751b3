/** What a metric is counted by: `{ state: 'blocked' }`. */
export type Labels = Readonly<Record<string, string>>;

/** One value of a metric. */
export type Sample = {
  readonly value: number;
  readonly labels?: Labels | undefined;
  /** Behind the name of the metric: `_bucket`. Default: nothing. */
  readonly suffix?: string | undefined;
};

/** Something that is measured, with its values now. */
export type Metric = {
  /** Letters, digits and `_`, with the unit at the end. */
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** What it says, in one sentence. */
  readonly help: string;
  readonly samples: readonly Sample[];
};

/** A gauge with one value. */
export function gauge(name: string, help: string, value: number): Metric {
  return { name, type: 'gauge', help, samples: [{ value }] };
}

/** A counter with one value. */
export function counter(name: string, help: string, value: number): Metric {
  return { name, type: 'counter', help, samples: [{ value }] };
}

/** A gauge or a counter with a value for each of the names that one label can have. */
export function byLabel(
  metric: Pick<Metric, 'name' | 'type' | 'help'>,
  label: string,
  values: ReadonlyMap<string, number>,
): Metric {
  return { ...metric, samples: [...values].map(([name, value]) => ({ value, labels: { [label]: name } })) };
}
