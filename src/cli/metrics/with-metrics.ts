import type { Metric } from '../../metrics/metric.ts';
import type { MetricsPlace } from '../../metrics/metrics-server.ts';
import { version } from '../../version.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { Cli } from '../cli.ts';
import { processesOf } from '../project/processes.ts';

/**
 * Serves the metrics of a project while `work` goes on, where they are wanted, and says where.
 *
 * @param place - `undefined`: they are not wanted.
 * @param more - What else there is to tell.
 */
export async function withMetrics<T>(
  cli: Pick<Cli, 'warn'>,
  project: Project,
  place: MetricsPlace | undefined,
  work: () => Promise<T>,
  more?: () => readonly Metric[],
): Promise<T> {
  if (!place) return work();
  const { serveMetrics } = await import('../../metrics/serve-metrics.ts');
  const { isAlive } = processesOf(project);
  const server = await serveMetrics({ ...place, project, isAlive, version, more });
  try {
    cli.warn(`metrics: ${server.url}/metrics, health: ${server.url}/healthz`);
    return await work();
  } finally {
    await server.close();
  }
}
