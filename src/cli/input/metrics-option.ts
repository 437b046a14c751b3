import { isIP } from 'node:net';
import { InvalidArgumentError, type Command } from 'commander';
import type { MetricsPlace } from '../../metrics/metrics-server.ts';

/** Where metrics are served where only a port is said. */
const HERE = '127.0.0.1';

/** What a command line says of metrics. */
export type MetricsOption = { readonly metrics?: MetricsPlace };

/** The option of a command that stays: `--metrics`. */
export function addMetricsOption(command: Command): Command {
  return command.option(
    '--metrics <[host:]port>',
    'serve /metrics for Prometheus, and /healthz, meanwhile (default host: this machine alone)',
    metricsPlace,
  );
}

function metricsPlace(text: string): MetricsPlace {
  const {
    bracketed,
    name,
    port = '',
  } = /^(?:(?:\[(?<bracketed>[\da-f:.]+)\]|(?<name>[\w.-]+)):)?(?<port>\d{1,5})$/i.exec(text)?.groups ?? {};
  const isAddress = bracketed === undefined || isIP(bracketed) === 6;
  if (port === '' || Number(port) > 65_535 || !isAddress)
    throw new InvalidArgumentError(
      'It is neither a port like 9464 nor an address with one like 0.0.0.0:9464.',
    );
  return { host: bracketed ?? name ?? HERE, port: Number(port) };
}
