import { BlockList, isIP } from 'node:net';

/** Addresses of one's own machine. */
const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Addresses that lead to no server of anybody's but to the network itself, and to the secrets clouds keep there. */
const offLimits = new BlockList();
offLimits.addSubnet('169.254.0.0', 16, 'ipv4');
offLimits.addSubnet('fe80::', 10, 'ipv6');
offLimits.addAddress('fd00:ec2::254', 'ipv6');
offLimits.addAddress('100.100.100.200', 'ipv4');
offLimits.addSubnet('0.0.0.0', 8, 'ipv4');
offLimits.addAddress('::', 'ipv6');
const offLimitsNames = new Set(['metadata', 'metadata.google.internal', 'instance-data']);

/**
 * What is wrong with the URL of a server, as the end of a sentence about it; `undefined`: nothing. Names are not
 * looked up: what they lead to has to be checked on connecting, with {@link isOffLimits}.
 */
export function urlProblem(
  text: string,
  { allowInsecure }: { readonly allowInsecure: boolean },
): string | undefined {
  const url = URL.parse(text);
  if (!url) return 'must be a URL, as in "https://example.com/mcp"';
  const { protocol, hostname, username, password } = url;
  if (protocol !== 'https:' && protocol !== 'http:')
    return `must begin with https: or http: (it begins with ${protocol})`;
  if (username || password) return 'must not have a name or a password in it: put them into headers';
  if (isOffLimits(hostname)) return `leads to ${hostname}, where no server of yours can be`;
  if (protocol === 'http:' && !isLoopback(hostname) && !allowInsecure)
    return `must begin with https:, since ${hostname} is another machine; "allowInsecure": true allows it`;
  return undefined;
}

/** Whether a host, by name or address, is one's own machine. */
export function isLoopback(host: string): boolean {
  const name = bareHost(host);
  return name === 'localhost' || name.endsWith('.localhost') || isListed(loopback, name);
}

/** Whether nothing may be connected there: link-local addresses, those where clouds keep secrets, none at all. */
export function isOffLimits(host: string): boolean {
  const name = bareHost(host);
  return offLimitsNames.has(name) || isListed(offLimits, name);
}

/** Without the brackets of an IPv6 address, and without the dot that a full name may end with. */
function bareHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}

function isListed(list: BlockList, host: string): boolean {
  const version = isIP(host);
  // An IPv4 address written as an IPv6 one is found, too.
  return version !== 0 && list.check(host, version === 6 ? 'ipv6' : 'ipv4');
}
