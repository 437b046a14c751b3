import { observeAppends, type ObservedAppend } from '../events/log/observed-log.ts';
import { Histogram } from './histogram.ts';
import { byLabel, counter, type Metric } from './metric.ts';

/** A file takes about a millisecond, a server far away tenths of a second, one that elects a leader many. In s. */
const LIMITS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

/** Counts the appends of this process. */
export class AppendMetrics {
  readonly #latency = new Histogram(
    { name: 'clifford_append_seconds', help: 'How long appends to the log took until they were durable.' },
    LIMITS_S,
  );
  readonly #outcomes = new Map<ObservedAppend['outcome'], number>([
    ['stored', 0],
    ['conflict', 0],
    ['failed', 0],
  ]);
  #events = 0;
  readonly #stop: () => void;

  constructor() {
    this.#stop = observeAppends(({ events, ms, outcome }) => {
      this.#outcomes.set(outcome, (this.#outcomes.get(outcome) ?? 0) + 1);
      if (outcome !== 'stored') return;
      this.#events += events;
      this.#latency.add(ms / 1_000);
    });
  }

  metrics(): Metric[] {
    return [
      counter(
        'clifford_events_appended_total',
        'Events that this process has appended to the log.',
        this.#events,
      ),
      byLabel(
        {
          name: 'clifford_appends_total',
          type: 'counter',
          help: 'Appends of this process, by what became of them; after a conflict it is decided again.',
        },
        'outcome',
        this.#outcomes,
      ),
      this.#latency.metric(),
    ];
  }

  /** Counts no longer. */
  stop(): void {
    this.#stop();
  }
}
