import { CliffordError } from '../../errors.ts';
import type { LogAddress } from '../../events/jetstream/log-address.ts';
import { LOG_URL } from './log-url-pattern.ts';

/**
 * What a URL says of a log on a server: `nats://host:4222/project`, or several servers of a cluster,
 * `nats://one:4222,two:4222/project`.
 *
 * @throws {CliffordError} `LOG_URL_INVALID`.
 */
export function parseLogUrl(url: string): Pick<LogAddress, 'name' | 'project' | 'servers' | 'isEncrypted'> {
  const { scheme, servers = '', project = '' } = LOG_URL.exec(url)?.groups ?? {};
  const named = servers.split(',');
  if (scheme === undefined || !named.every(isServer)) throw invalid(url);
  return { name: url, project, servers: named, isEncrypted: scheme === 'tls' };
}

/** The client reads them as URLs, too: a port of five digits may be none. */
function isServer(server: string): boolean {
  return /^[^\s/@,]+$/.test(server) && URL.canParse(`http://${server}`);
}

function invalid(url: string): CliffordError {
  // What stands before an @ may be a password.
  const shown = url.replace(/\/\/.*@/s, '//…@');
  return new CliffordError(`Cannot find a log at ${JSON.stringify(shown)}: ${whatIsWrong(url)}`, {
    code: 'LOG_URL_INVALID',
    fix: 'Write it as nats://host:4222/project, with letters, digits, _ and - as the project; a user and a password come from CLIFFORD_LOG_USER and CLIFFORD_LOG_PASSWORD',
  });
}

/** The first of what keeps a URL from being one of a log. */
function whatIsWrong(url: string): string {
  const parts = /^(?<scheme>[^:/]*):\/\/(?<servers>[^/]*)(?:\/(?<project>.*))?$/s.exec(url)?.groups;
  if (parts?.['scheme'] !== 'nats' && parts?.['scheme'] !== 'tls')
    return 'it has to begin with nats:// or tls://';
  const { servers = '', project = '' } = parts;
  if (url.includes('@')) return 'it has to be without a user, which others would read';
  if (servers === '') return 'it names no server';
  const wrong = servers.split(',').find((server) => !isServer(server));
  if (wrong !== undefined) return `${JSON.stringify(wrong)} is no server and port`;
  if (project === '') return 'it names no project';
  if (project.length > 128) return 'its project has more than 128 characters';
  return 'its project has other characters than letters, digits, _ and -';
}
