import { isIPv4, isIPv6 } from 'node:net';
import { InvalidArgumentError, type Command } from 'commander';
import { CliffordError } from '../../errors.ts';
import type { Cli } from '../cli.ts';
import type { PageOrder } from '../web/open-page.ts';
import { collect } from './collect.ts';
import { isTerminal } from './is-interactive.ts';

/** What a command line says of how the page is served, but for its port, which each command says in its own way. */
export type PageOptions = {
  readonly host?: string;
  readonly name?: readonly string[];
  readonly cert?: string;
  readonly key?: string;
  readonly allowAlways?: true;
  readonly qr?: boolean;
};

/** The options of a command that serves the page. */
export function addPageOptions(command: Command): Command {
  return command
    .option(
      '--host <address>',
      'page for other machines: the address to listen at, 0.0.0.0 for all (default: this machine alone)',
    )
    .option(
      '--name <host>',
      'another name by which the page may be called: host, host:port or, with a scheme of its own, origin; may be repeated',
      hosts,
    )
    .option('--cert <file>', 'certificate for TLS, in PEM')
    .option('--key <file>', 'its key, in PEM')
    .option('--allow-always', 'take a yes that stands from now on from other machines, too')
    .option(
      '--no-qr',
      'with --host: show the address as text only; one that is of this machine alone has no code',
    );
}

/** How the page is to be served. @throws {CliffordError} `TLS_INCOMPLETE`. */
export function pageOrder(cli: Cli, port: number, options: PageOptions): PageOrder {
  const { host, name, cert, key, allowAlways, qr = true } = options;
  if ((cert === undefined) !== (key === undefined)) throw halfTls(cert === undefined ? '--cert' : '--key');
  return {
    port,
    host,
    names: name,
    tls: cert === undefined || key === undefined ? undefined : { cert, key },
    allowsAlways: allowAlways,
    qr: qr && isTerminal(cli),
  };
}

/** Refuses what says how a page is served where none is. @throws {CliffordError} `NO_PAGE`. */
export function requireNoPage({ host, name, cert, key, allowAlways, qr }: PageOptions): void {
  const given = {
    '--host': host,
    '--name': name,
    '--cert': cert,
    '--key': key,
    '--allow-always': allowAlways,
    '--no-qr': qr === false ? true : undefined,
  };
  const [first] = Object.entries(given).find(([, value]) => value !== undefined) ?? [];
  if (first !== undefined) throw noPage(first);
}

/** A name or an address, then maybe a port; before them the scheme of an origin. */
const host =
  /^(?<scheme>https?:\/\/)?(?<name>[\w-]+(?:\.[\w-]+)*\.?|\[[\da-f:.]+\])(?::(?<port>\d+))?(?<end>\/?)$/i;

/** A host as browsers send it in `Host`, or an origin as they do in `Origin`: by what is more of an address it would never be called. */
function hosts(text: string, before: readonly string[] | undefined): readonly string[] {
  const given = isIPv6(text) ? `[${text}]` : text;
  const { scheme, name, port, end } = host.exec(given)?.groups ?? {};
  const isHost = end === '' || scheme !== undefined;
  if (isHost && port !== undefined && (Number(port) < 1 || Number(port) > 65_535))
    throw new InvalidArgumentError('Its port is none from 1 to 65535.');
  const address = scheme === undefined ? `http://${given}` : given;
  if (!isHost || !URL.canParse(address))
    throw new InvalidArgumentError(
      'It is not a host like box.example or localhost:9000, or an origin like https://box.example.',
    );
  const { origin, hostname } = new URL(address);
  // 4077 and 0x7f are numbers of addresses to them.
  if (isIPv4(hostname) && hostname !== name)
    throw new InvalidArgumentError(
      `Browsers read it as the address ${hostname}: it is no name to call a page by.`,
    );
  if (scheme !== undefined) return collect(origin, before);
  return collect(port === undefined ? hostname : `${hostname}:${Number(port)}`, before);
}

function halfTls(missing: string): CliffordError {
  return new CliffordError(`Cannot serve with TLS: ${missing} is missing`, {
    code: 'TLS_INCOMPLETE',
    fix: 'Give both: --cert and --key',
  });
}

function noPage(option: string): CliffordError {
  return new CliffordError(`Cannot use ${option}: no page is served`, {
    code: 'NO_PAGE',
    fix: 'Add --web, and the page is served while the sprint is run',
  });
}
