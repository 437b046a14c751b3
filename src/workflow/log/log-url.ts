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
  // The client reads them as URLs, too: a port of five digits may be none.
  if (scheme === undefined || !named.every((server) => URL.canParse(`http://${server}`))) throw invalid(url);
  return { name: url, project, servers: named, isEncrypted: scheme === 'tls' };
}

function invalid(url: string): CliffordError {
  // What stands before an @ may be a password.
  const shown = url.replace(/\/\/[^/]*@/, '//…@');
  return new CliffordError(
    `Cannot find a log at ${JSON.stringify(shown)}: it has to name a server and a project, without a user`,
    {
      code: 'LOG_URL_INVALID',
      fix: 'Write it as nats://host:4222/project, with letters, digits, _ and - as the project; a user and a password come from CLIFFORD_LOG_USER and CLIFFORD_LOG_PASSWORD',
    },
  );
}
