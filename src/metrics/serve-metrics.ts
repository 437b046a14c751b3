import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '../lib/message-of.ts';
import type { Project } from '../workflow/project/project.ts';
import { AppendMetrics } from './append-metrics.ts';
import { counter, gauge, type Metric } from './metric.ts';
import { startMetricsServer, type MetricsPlace, type MetricsServer } from './metrics-server.ts';
import { processMetrics } from './process-metrics.ts';
import { projectMetrics, type Surroundings } from './project-metrics.ts';

/** How long is waited for the log, in ms: whoever measures asks again. */
const PATIENCE_MS = 2_000;

/** What is measured. */
export type MetricsOptions = MetricsPlace & {
  readonly project: Pick<Project, 'state' | 'refresh' | 'subscribe'>;
  readonly isAlive: Surroundings['isAlive'];
  /** Of the program. */
  readonly version: string;
  /** What else this process has to tell, such as of its queue; asked while the log can be read. */
  readonly more?: (() => readonly Metric[]) | undefined;
};

/**
 * Serves the metrics of a process that has a project open, and whether it can read the log. They have no words of a
 * sprint in them, only numbers.
 *
 * @throws {CliffordError} `METRICS_UNSERVED`.
 */
export async function serveMetrics({
  project,
  isAlive,
  version,
  more = () => [],
  ...place
}: MetricsOptions): Promise<MetricsServer> {
  const appends = new AppendMetrics();
  let seen = 0;
  const unsubscribe = project.subscribe((events) => (seen += events.length));
  const stop = () => {
    unsubscribe();
    appends.stop();
  };
  const metrics = async () => {
    const trouble = await troubleWith(project);
    return [
      ...processMetrics(version),
      gauge(
        'clifford_log_readable',
        'Whether the log can be read now: 1, or 0.',
        trouble === undefined ? 1 : 0,
      ),
      counter(
        'clifford_events_total',
        'Events of the log, by whomever, since this process was started.',
        seen,
      ),
      ...appends.metrics(),
      ...projectMetrics(project.state, { isAlive, now: Date.now() }),
      ...more(),
    ];
  };
  try {
    const server = await startMetricsServer(place, { metrics, trouble: () => troubleWith(project) });
    return {
      url: server.url,
      close() {
        stop();
        return server.close();
      },
    };
  } catch (error) {
    stop();
    throw error;
  }
}

/** Why the log cannot be read now. */
async function troubleWith({ refresh }: Pick<Project, 'refresh'>): Promise<string | undefined> {
  const answered = new AbortController();
  const late = pause(PATIENCE_MS, 'Cannot read the log: it does not answer', { signal: answered.signal });
  try {
    return await Promise.race([refresh().then(() => undefined, messageOf), late]);
  } finally {
    answered.abort();
    late.catch(() => undefined);
  }
}
