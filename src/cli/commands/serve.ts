import { InvalidArgumentError, type Command } from 'commander';
import { CliffordError } from '../../errors.ts';
import type { Cli } from '../cli.ts';
import { collect } from '../input/collect.ts';
import { port } from '../input/port.ts';
import { isTerminal } from '../input/is-interactive.ts';
import { WEB_PORT } from '../web/open-page.ts';
import { servePage, type ServeOrder } from '../web/serve-page.ts';
import { addWebToken, listWebTokens, revokeWebToken } from '../web/web-tokens.ts';

type Options = {
  readonly port: number;
  readonly host?: string;
  readonly name?: readonly string[];
  readonly cert?: string;
  readonly key?: string;
  readonly allowAlways?: true;
  readonly qr: boolean;
  readonly json?: true;
};

/** `clifford serve`: the page of the project, for a browser or a phone. */
export function addServe(program: Command, cli: Cli): void {
  const serve = program
    .command('serve')
    .summary('the project as a page in the browser')
    .description(
      'Serves a page on which questions are answered, calls are allowed, and sprints are watched and looked back on. ' +
        'It ends with Ctrl-C; runs go on.',
    )
    .option('--port <port>', 'where it listens; 0: any that is free', port, WEB_PORT)
    .option(
      '--host <address>',
      'for other machines: the address to listen at, 0.0.0.0 for all (default: this machine alone)',
    )
    .option(
      '--name <host>',
      'another name by which it may be called, host or host:port; may be repeated',
      hosts,
    )
    .option('--cert <file>', 'certificate for TLS, in PEM')
    .option('--key <file>', 'its key, in PEM')
    .option('--allow-always', 'take a yes that stands from now on from other machines, too')
    .option('--no-qr', 'with --host: show the address as text only')
    .option('--json', 'for programs: one line with { url, token } when it listens')
    .addHelpText(
      'after',
      '\nFrom another machine, best through a tunnel: ssh -L 4077:127.0.0.1:4077 <this machine>\n' +
        '\nExamples:\n  clifford serve\n  clifford serve --host 0.0.0.0 --cert cert.pem --key key.pem\n  clifford serve token add phone --expires 30d',
    )
    .action((options: Options) => servePage(cli, orderOf(cli, options)));

  const token = serve
    .command('token')
    .summary('tokens to share, or for other devices')
    .description(
      'Each start of clifford serve has a token of its own, which is over when it ends. These make others, for another ' +
        'device or person: each has a name, which the log has with what is decided by it, may be read-only, and is valid ' +
        'until it expires or is revoked.',
    );
  token
    .command('add')
    .summary('make a token')
    .description(
      'Makes a token by which a page can be opened, and prints it once. Kept is only its digest, in your state folder.',
    )
    .argument('<name>', 'whose it is: the log names who answers with it so')
    .option('--read-only', 'it may look, and decide nothing')
    .option('--expires <span>', 'how long it is valid: 12h, 30d (default: until it is revoked)', span)
    .option('--json', 'for programs: one line')
    .addHelpText('after', '\nExample:\n  clifford serve token add ann-phone --expires 30d')
    .action((name: string, options: { readOnly?: true; expires?: number }, command: Command) =>
      addWebToken(cli, {
        name,
        may: options.readOnly ? 'read' : 'decide',
        validMs: options.expires,
        json: isForPrograms(command),
      }),
    );
  token
    .command('list')
    .summary('those that were made')
    .description('Lists the tokens that were made for this project. They are shown to nobody again.')
    .option('--json', 'for programs: a list')
    .addHelpText('after', '\nExample:\n  clifford serve token list')
    .action((_: object, command: Command) => listWebTokens(cli, isForPrograms(command)));
  token
    .command('revoke')
    .summary('end a token')
    .description('Ends a token: pages that use it are closed within a second or two.')
    .argument('<name>', 'as it was made')
    .addHelpText('after', '\nExample:\n  clifford serve token revoke ann-phone')
    .action((name: string) => revokeWebToken(cli, name));
}

/** A host as browsers send it in `Host`: what is more of an address would never be called by. */
function hosts(text: string, before: readonly string[] | undefined): readonly string[] {
  if (!/^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$|^[\da-f:.]+$/i.test(text))
    throw new InvalidArgumentError('It is no host like box.example or localhost:9000.');
  return collect(text, before);
}

/** `--json` is an option of `serve` as well, which takes it wherever it stands. */
function isForPrograms(command: Command): boolean {
  return command.optsWithGlobals<{ json?: true }>().json === true;
}

function orderOf(cli: Cli, { port: at, host, name, cert, key, allowAlways, qr, json }: Options): ServeOrder {
  if ((cert === undefined) !== (key === undefined)) throw halfTls(cert === undefined ? '--cert' : '--key');
  return {
    port: at,
    host,
    names: name,
    tls: cert === undefined || key === undefined ? undefined : { cert, key },
    allowsAlways: allowAlways,
    json: json ?? false,
    qr: qr && isTerminal(cli),
  };
}

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

function span(text: string): number {
  const [, count, unit = ''] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? [];
  if (count === undefined) throw new InvalidArgumentError('It is no span like 30m, 12h or 30d.');
  return Number(count) * (UNIT_MS[unit] ?? 0);
}

function halfTls(missing: string): CliffordError {
  return new CliffordError(`Cannot serve with TLS: ${missing} is missing`, {
    code: 'TLS_INCOMPLETE',
    fix: 'Give both: --cert and --key',
  });
}
