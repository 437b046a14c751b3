/** By which hosts a server may be called. */
export type OwnHosts = {
  /** Whether a `Host` header, exactly as it came, is one of the server's. */
  readonly has: (host: string | undefined) => boolean;
  /** Whether an `Origin` header is the page of this server, called by that host; absent is fine: no browser sent it. */
  readonly isOwnOrigin: (origin: string | undefined, host: string) => boolean;
  /** For people. */
  readonly list: readonly string[];
};

/**
 * The exact list of hosts: what a page of somebody else's can make a name of its own resolve to is none of them (DNS
 * rebinding).
 *
 * @param names - Host names and addresses, with or without a port; where one has none, it is `port`.
 */
export function ownHosts(
  names: readonly string[],
  { port, isTls }: { port: number; isTls: boolean },
): OwnHosts {
  const scheme = isTls ? 'https' : 'http';
  const standard = isTls ? 443 : 80;
  const list = [...new Set(names.flatMap((name) => hostsOf(name.toLowerCase(), port, standard)))];
  const hosts = new Set(list);
  return {
    list,
    has: (host) => host !== undefined && hosts.has(host.toLowerCase()),
    isOwnOrigin: (origin, host) =>
      origin === undefined || origin.toLowerCase() === `${scheme}://${host.toLowerCase()}`,
  };
}

/** A browser leaves out the port that its scheme has by itself. */
function hostsOf(name: string, port: number, standard: number): string[] {
  if (/^(?:\[[^\]]*\]|[^:]*):\d+$/.test(name)) return [name];
  const bare = name.includes(':') && !name.startsWith('[') ? `[${name}]` : name;
  return port === standard ? [bare, `${bare}:${port}`] : [`${bare}:${port}`];
}
