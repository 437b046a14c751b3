import { packageFile } from '../../package-file.ts';
import { version } from '../../version.ts';
import { isLoopbackHost } from '../../lib/net/own-address.ts';
import { isOrigin } from '../../web/server/guards/own-hosts.ts';
import type { WebServer, WebServerOptions } from '../../web/server/web-server.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { Cli } from '../cli.ts';
import { processesOf } from '../project/processes.ts';
import { offersIn, partsIn } from '../requests/offers.ts';

/** Where the page is served when nothing else is said. */
export const WEB_PORT = 4077;

/** What a person says about how the page is served. */
export type PageOrder = Pick<
  WebServerOptions,
  'port' | 'anyPort' | 'host' | 'names' | 'tls' | 'allowsAlways'
> & {
  /** Its address is shown as a picture for the camera of a phone, too, where one may reach it. */
  readonly qr: boolean;
};

/** Where a person sees a request, or a sprint; `undefined`: nowhere. */
export type LinkTo = (stream: string, request: string | undefined) => string | undefined;

/** Serves the page of a project. What does is loaded when it is wanted. */
export async function openPage(
  cli: Cli,
  project: Project,
  { qr: _qr, ...order }: PageOrder,
): Promise<WebServer> {
  const { startWebServer } = await import('../../web/server/web-server.ts');
  return startWebServer({ ...order, ...serverOf(cli), ...servedIn(cli, project) });
}

/** What a server of pages needs, whatever it serves. */
export function serverOf(cli: Cli) {
  return {
    version,
    by: cli.by,
    pageFolder: packageFile('dist/page'),
    report: (problem: unknown) => cli.note(problemText(problem)),
  };
}

/** What it needs of a project. */
export function servedIn(cli: Pick<Cli, 'env' | 'called'>, project: Project) {
  return {
    project,
    env: cli.env,
    called: cli.called,
    processes: processesOf(project),
    findExtras: { offersFor: offersIn(cli, project), partsOf: partsIn(cli, project) },
  };
}

/** The address of the page with its token, which no browser sends to anybody: it is behind the `#`. */
export function pageAddress({ url, token }: Pick<WebServer, 'url' | 'token'>): string {
  return `${url}#t=${token}`;
}

/**
 * The addresses of sprints and questions on a page, for people who are elsewhere, without a token: what their page remembers
 * opens it. What leads to this machine alone leads nobody anywhere who is.
 */
export function linksTo(
  { url }: Pick<WebServer, 'url'>,
  { host, names = [] }: Pick<PageOrder, 'host' | 'names'>,
): LinkTo {
  const address = isLoopbackHost(host)
    ? names.map((name) => calledBy(url, name)).find((each) => !isLoopbackHost(hostOf(each)))
    : url;
  if (address === undefined) return () => undefined;
  return (stream, request) => {
    const place = new URLSearchParams(request === undefined ? { s: stream } : { q: request });
    return `${address}#${place.toString()}`;
  };
}

/** The same page by another name, which is an origin, or has a port of its own or none: others come to it by a proxy, or a tunnel. */
function calledBy(url: string, name: string): string {
  const called = new URL(url);
  if (isOrigin(name)) return name + called.pathname;
  called.host = name;
  return called.href;
}

function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '');
}

function problemText(problem: unknown): string {
  if (problem instanceof Error)
    return 'inOneLine' in problem ? String(problem.inOneLine) : (problem.stack ?? problem.message);
  return String(problem);
}
