/** By which hosts a server may be called. */
export type OwnHosts = {
  /** Whether a `Host` header, exactly as it came, is one of the server's. */
  readonly has: (host: string | undefined) => boolean;
  /** Whether an `Origin` header is the page of this server, called by that host or a named origin; absent is fine: no browser sent it. */
  readonly isOwnOrigin: (origin: string | undefined, host: string) => boolean;
  /** For people. */
  readonly list: readonly string[];
  /** The origin by which it is called first. */
  readonly first: string;
};

/**
 * The exact list of hosts: what a page of somebody else's can make a name of its own resolve to is none of them (DNS
 * rebinding).
 *
 * @param names - Host names and addresses, with or without a port; where one has none, it is `port`. Origins, too: of what stands before
 *   the server and has a scheme and a port of its own.
 */
export function ownHosts(
  names: readonly string[],
  { port, isTls }: { port: number; isTls: boolean },
): OwnHosts {
  const scheme = isTls ? 'https' : 'http';
  const standard = isTls ? 443 : 80;
  const called = (name: string) => hostsOf(name.toLowerCase(), port, standard);
  const own = new Set(names.filter((name) => !isOrigin(name)).flatMap(called));
  const origins = new Set(names.filter(isOrigin));
  const list = [...new Set(names.flatMap((name) => (isOrigin(name) ? hostsOfOrigin(name) : called(name))))];
  const hosts = new Set(list);
  const isOwn = (origin: string, host: string) => own.has(host) && origin === `${scheme}://${host}`;
  const [name = ''] = names;
  return {
    list,
    first: isOrigin(name) ? name : `${scheme}://${list[0] ?? name}`,
    has: (host) => host !== undefined && hosts.has(host.toLowerCase()),
    isOwnOrigin: (origin, host) =>
      origin === undefined ||
      origins.has(origin.toLowerCase()) ||
      isOwn(origin.toLowerCase(), host.toLowerCase()),
  };
}

/** A name that a server is called by is an origin: `https://box.example`. */
export function isOrigin(name: string): boolean {
  return name.includes('://');
}

/** What stands before a server may say the port that the scheme has by itself. */
function hostsOfOrigin(origin: string): string[] {
  const { host, port, protocol } = new URL(origin);
  return port === '' ? [host, `${host}:${protocol === 'https:' ? 443 : 80}`] : [host];
}

/** A browser leaves out the port that its scheme has by itself. */
function hostsOf(name: string, port: number, standard: number): string[] {
  const [, own, said] = /^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(name) ?? [];
  if (own !== undefined) return Number(said) === standard ? [own, name] : [name];
  const bare = name.includes(':') && !name.startsWith('[') ? `[${name}]` : name;
  return port === standard ? [bare, `${bare}:${port}`] : [`${bare}:${port}`];
}
