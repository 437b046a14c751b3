/** A URL as RFC 3986 has it, with a host of signs that no reader changes. */
const plainUrl =
  /^[a-z][a-z\d+.-]*:\/\/(?:[^\s/?#@\\]*@)?(?<host>[a-z\d.-]+|\[[\da-f:.]+\])(?::\d*)?(?=[/?#]|$)/i;

/** The machines that URLs lead to. `''`: it is no URL, or one that programs read in more ways than one. */
export function hostsOf(links: readonly string[]): readonly string[] {
  return links.map(hostOf);
}

function hostOf(url: string): string {
  const host = plainUrl.exec(url)?.groups?.['host'];
  if (host === undefined || !URL.canParse(url)) return '';
  const plain = plainHost(host);
  return plainHost(new URL(url).hostname) === plain ? plain : '';
}

/** Machines that a word of a command may name, in one reading or another: it need not be a URL. */
export function hostsNamedBy(word: string): readonly string[] {
  const { hostname = '' } = URL.canParse(word) ? new URL(word) : {};
  const rest = word.replace(/^[a-z][a-z\d+.-]*:(?=[/\\])/i, '').replace(/^[/\\]+/, '');
  const [authority = ''] = rest.split(/[/?#]/, 1);
  const hosts = authority.split(/[@\\]/).map((part) => part.replace(/:.*$/s, ''));
  return [...new Set([hostname, ...hosts].map(plainHost))].filter((host) => host !== '');
}

/** A host without its case, and without the dot that stands for the root of all names. */
function plainHost(host: string): string {
  return host.toLowerCase().replace(/\.$/, '');
}
