import { counter, gauge, type Metric } from './metric.ts';

/** What every monitored process says of itself, under the names that all of them use. `version`: of the program. */
export function processMetrics(version: string): Metric[] {
  const { user, system } = process.cpuUsage();
  return [
    {
      name: 'clifford_build_info',
      type: 'gauge',
      help: 'The version of Clifford, as a label.',
      samples: [{ value: 1, labels: { version } }],
    },
    counter('process_cpu_seconds_total', 'CPU time in seconds.', (user + system) / 1e6),
    gauge('process_resident_memory_bytes', 'Resident memory in bytes.', process.memoryUsage.rss()),
    gauge(
      'process_start_time_seconds',
      'When the process was started, in Unix time.',
      performance.timeOrigin / 1_000,
    ),
  ];
}
