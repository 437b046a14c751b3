import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Cli } from '../cli.ts';
import { everywhereOption } from '../input/everywhere-option.ts';
import { addMetricsOption, type MetricsOption } from '../input/metrics-option.ts';
import { addPageOptions, pageOrder, type PageOptions } from '../input/page-options.ts';
import { port } from '../input/port.ts';
import { WEB_PORT } from '../web/open-page.ts';
import { serveEverywhere } from '../web/serve-everywhere.ts';
import { servePage } from '../web/serve-page.ts';
import { forgetPushed, listPushed } from '../web/web-push.ts';
import { addWebToken, listWebTokens, revokeWebToken } from '../web/web-tokens.ts';

type Options = PageOptions &
  MetricsOption & { readonly port: number; readonly json?: true; readonly everywhere?: true };

/** `clifford serve`: the page of the project, for a browser or a phone. */
export function addServe(program: Command, cli: Cli): void {
  const serve = program.command('serve');
  serve
    .summary('the project as a page in the browser')
    .description(
      'Serves a page on which questions are answered, calls are allowed, and sprints are watched and looked back on; ' +
        'with --everywhere a page of all your projects (clifford projects), and below it that of each. ' +
        'It ends with Ctrl-C; runs go on. With --json it ends with the program that started it, too: within a second or two ' +
        'of its end, or once it has closed the socket that is stdout here. A closed stdin ends nothing.',
    )
    .option('--port <port>', 'where it listens; 0: any that is free', port, WEB_PORT)
    .addOption(everywhereOption().conflicts('metrics'))
    .option('--json', 'for programs: one line with { url, token } when it listens')
    .addHelpText(
      'after',
      '\nFrom another machine, best through a tunnel: ssh -L 4077:127.0.0.1:4077 <this machine>\n' +
        '\nExamples:\n  clifford serve\n  clifford serve --everywhere\n  clifford serve --host 0.0.0.0 --cert cert.pem --key key.pem\n  clifford serve token add phone --expires 30d',
    )
    .action(({ port: at, json, metrics, everywhere, ...options }: Options) => {
      const order = { ...pageOrder(cli, at, options), json: json ?? false };
      return everywhere ? serveEverywhere(cli, order) : servePage(cli, { ...order, metrics });
    });
  addPageOptions(serve);
  addMetricsOption(serve);

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
    .argument('<name>', 'whose it is, as the log names who answers with it')
    .option('--read-only', 'it may look, but decide nothing')
    .option('--expires <span>', 'how long it is valid: 12h, 30d (default: until it is revoked)', span)
    .addOption(everywhereTokens())
    .option('--json', 'for programs: one line')
    .addHelpText('after', '\nExample:\n  clifford serve token add ann-phone --expires 30d')
    .action((name: string, options: { readOnly?: true; expires?: number }, command: Command) =>
      addWebToken(cli, {
        name,
        may: options.readOnly ? 'read' : 'decide',
        validMs: options.expires,
        json: isForPrograms(command),
        everywhere: isEverywhere(command),
      }),
    );
  token
    .command('list')
    .summary('those that were made')
    .description('Lists the tokens that were made for this project. They are shown to nobody again.')
    .addOption(everywhereTokens())
    .option('--json', 'for programs: a list')
    .addHelpText('after', '\nExample:\n  clifford serve token list')
    .action((_: object, command: Command) =>
      listWebTokens(cli, isForPrograms(command), isEverywhere(command)),
    );
  token
    .command('revoke')
    .summary('revoke a token')
    .description('Revokes a token: pages that use it are closed within a second or two.')
    .argument('<name>', 'as it was made')
    .addOption(everywhereTokens())
    .addHelpText('after', '\nExample:\n  clifford serve token revoke ann-phone')
    .action((name: string, _: object, command: Command) => revokeWebToken(cli, name, isEverywhere(command)));
  addPush(serve, cli);
}

/** `clifford serve push`: the browsers that are notified. */
function addPush(serve: Command, cli: Cli): void {
  const push = serve
    .command('push')
    .summary('browsers that are notified')
    .description(
      'The bell on the page has its browser notified (Web Push), also when the page is closed. These list such browsers, and ' +
        'end that. Those of a token that was revoked or has expired end with it.',
    );
  push
    .command('list')
    .summary('those that are notified')
    .description('Lists the browsers that are notified about this project, the oldest first.')
    .option('--json', 'for programs: a list')
    .addHelpText('after', '\nExample:\n  clifford serve push list')
    .action((_: object, command: Command) => listPushed(cli, isForPrograms(command)));
  push
    .command('forget')
    .summary('stop notifying one')
    .description('Stops notifying a browser, or all of them.')
    .argument('[id]', 'as it is listed (default: all)')
    .addHelpText('after', '\nExample:\n  clifford serve push forget')
    .action((id: string | undefined) => forgetPushed(cli, id));
}

/** `--json` is an option of `serve` as well, which takes it wherever it stands. */
function isForPrograms(command: Command): boolean {
  return command.optsWithGlobals<{ json?: true }>().json === true;
}

/** The same of `--everywhere`. */
function isEverywhere(command: Command): boolean {
  return command.optsWithGlobals<{ everywhere?: true }>().everywhere === true;
}

/** Which tokens are meant. */
function everywhereTokens(): Option {
  return new Option('--everywhere', 'those of clifford serve --everywhere, which open all your projects');
}

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

function span(text: string): number {
  const [, count, unit = ''] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? [];
  if (count === undefined) throw new InvalidArgumentError('It is not a time like 30m, 12h or 30d.');
  return Number(count) * (UNIT_MS[unit] ?? 0);
}
