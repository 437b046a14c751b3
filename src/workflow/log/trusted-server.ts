import { CliffordError } from '../../errors.ts';
import type { LogAddress } from '../../events/jetstream/log-address.ts';

/** A server on this machine, whatever its port. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/**
 * Makes sure that nobody is sent the events of a project because a file says so that came with it. `trusted`: what the
 * user's own file says, hosts with or without a port.
 *
 * @throws {CliffordError} `LOG_SERVER_UNTRUSTED`.
 */
export function assertTrusted(
  { name, servers }: Pick<LogAddress, 'name' | 'servers'>,
  trusted: readonly string[],
): void {
  const known = new Set(trusted.map((server) => server.toLowerCase()));
  const isTrusted = (server: string) =>
    LOOPBACK.test(server) || known.has(server.toLowerCase()) || known.has(hostOf(server.toLowerCase()));
  const stranger = servers.find((server) => !isTrusted(server));
  if (stranger === undefined) return;
  throw new CliffordError(
    `Cannot use the log ${name}: only clifford.json names the server, which would be told all that happens, and that file may come from somebody else`,
    {
      code: 'LOG_SERVER_UNTRUSTED',
      fix: `Add "log": { "servers": [${JSON.stringify(stranger)}] } to ~/.config/clifford/config.json if you know the server, or name the log with --log or CLIFFORD_LOG`,
    },
  );
}

function hostOf(server: string): string {
  return server.replace(/:\d+$/, '');
}
