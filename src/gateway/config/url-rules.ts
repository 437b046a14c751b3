import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';

/** Ranges in which no server is, but the network itself, and the secrets clouds keep there. */
const offLimitsRanges = new Set<string>(['linkLocal', 'unspecified', 'multicast', 'broadcast']);
/** Addresses at which clouds keep secrets, in ranges that have others too: AWS, Google, Alibaba, Oracle, Azure. */
const offLimitsAddresses = new Set(
  ['fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254', '100.100.100.200', '192.0.0.192', '168.63.129.16'].map(
    (text) => ipaddr.process(text).toNormalizedString(),
  ),
);
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
  if (isOffLimits(hostname)) return `leads to ${hostname}, which is not allowed`;
  if (protocol === 'http:' && !isLoopback(hostname) && !allowInsecure)
    return `must begin with https:, since ${hostname} is another machine; "allowInsecure": true allows it`;
  return undefined;
}

/** Whether a host, by name or address, is one's own machine. */
export function isLoopback(host: string): boolean {
  const name = bareHost(host);
  return name === 'localhost' || name.endsWith('.localhost') || addressOf(name)?.range() === 'loopback';
}

/**
 * Whether nothing may be connected there: link-local addresses, those where clouds keep secrets, none at all, also as a
 * part of an IPv6 address that a gateway or a tunnel takes it out of.
 */
export function isOffLimits(host: string): boolean {
  const name = bareHost(host);
  const address = addressOf(name);
  if (!address) return offLimitsNames.has(name);
  return [address, ...embeddedIn(address)].some(
    (each) => offLimitsRanges.has(each.range()) || offLimitsAddresses.has(withoutZone(each)),
  );
}

/** An address; `undefined` for a name. An IPv4 address that is written as an IPv6 one is the former. */
function addressOf(host: string): IPv4 | IPv6 | undefined {
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(host) || ipaddr.IPv6.isValid(host);
  return isAddress ? ipaddr.process(host) : undefined;
}

function withoutZone(address: IPv4 | IPv6): string {
  return address.toNormalizedString().replace(/%.*$/, '');
}

const compatible = ipaddr.IPv6.parseCIDR('::/96');
const localNat64 = ipaddr.IPv6.parseCIDR('64:ff9b:1::/48');
/**
 * Where the bytes of the IPv4 address are behind a prefix of 48, 56 or 64 bits (RFC 6052, 2.2); a suffix follows. How
 * long the prefixes are that a network makes of the local one, only it knows.
 */
const SHORT_PREFIXES = [
  [6, 7, 9, 10],
  [7, 9, 10, 11],
  [9, 10, 11, 12],
];

/** The IPv4 addresses that lie in an IPv6 one: of NAT64 and SIIT, of 6to4, Teredo and ISATAP, and as `::a.b.c.d`. */
function embeddedIn(address: IPv4 | IPv6): IPv4[] {
  if (!(address instanceof ipaddr.IPv6)) return [];
  const bytes = address.toByteArray();
  const at = (start: number, flip = 0) =>
    new ipaddr.IPv4(bytes.slice(start, start + 4).map((byte) => byte ^ flip));
  const range = address.range();
  if (range === '6to4') return [at(2)];
  if (range === 'teredo') return [at(4), at(12, 0xff)];
  // `::` and `::1` have names of their own.
  const isCompatible = address.match(compatible) && range !== 'unspecified' && range !== 'loopback';
  const isIsatap = bytes.slice(9, 12).join() === '0,94,254' && (bytes[8] === 0 || bytes[8] === 2);
  if (address.match(localNat64)) {
    const behindShort = SHORT_PREFIXES.map(
      (places) => new ipaddr.IPv4(places.map((place) => bytes[place] ?? 0)),
    );
    // What begins with zeros is no address there, but the middle of one with a longer prefix.
    return [at(12), ...behindShort.filter((each) => each.range() !== 'unspecified')];
  }
  const isTranslated = range === 'rfc6052' || range === 'rfc6145';
  return isCompatible || isIsatap || isTranslated ? [at(12)] : [];
}

/** Without the brackets of an IPv6 address, and without the dot that a full name may end with. */
function bareHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}
