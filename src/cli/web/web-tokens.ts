import { printedWord } from '../../lib/text/shell-word.ts';
import { CliffordError } from '../../errors.ts';
import { once } from '../../lib/once.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { clockText } from '../../lib/time/clock-text.ts';
import { waitedText } from '../../lib/time/duration.ts';
import {
  addToken,
  hasToken,
  isExpired,
  readTokens,
  revokeToken,
  type Access,
  type NamedToken,
} from '../../web/server/tokens/named-tokens.ts';
import { removePushSubscriptions } from '../../workflow/push/push-subscriptions.ts';
import type { Cli } from '../cli.ts';
import { calledIn } from '../../workflow/projects/commands-called.ts';
import { ALL_PROJECTS } from '../../workflow/project/user-memory.ts';
import { listProjects } from '../../workflow/projects/known-projects.ts';
import type { Env } from '../../workflow/project/who-calls.ts';
import { columns } from '../text/columns.ts';
import { withTokens } from './with-tokens.ts';

type NewToken = {
  readonly name: string;
  readonly may: Access;
  /** Default: it stays valid until it is revoked. */
  readonly validMs?: number | undefined;
  readonly json: boolean;
  /** It is for the server of all projects. */
  readonly everywhere: boolean;
};

/** `clifford serve token add`. */
export async function addWebToken(
  cli: Cli,
  { name, may, validMs, json, everywhere }: NewToken,
): Promise<void> {
  await withTokens(cli, everywhere, async ({ key, requireHuman }) => {
    requireHuman('make a token');
    const expiresAt = validMs === undefined ? undefined : new Date(Date.now() + validMs).toISOString();
    const token = await addToken(cli.env, key, { name, may, expiresAt });
    if (json) return cli.print(JSON.stringify({ name, token, may, expiresAt }));
    cli.print(token);
    cli.note(
      `${visibleLine(name)} ${mayText(may)}${expiresAt ? ` until ${clockText(Date.parse(expiresAt), Date.now())}` : ''}: open the address that clifford serve${everywhere ? ' --everywhere' : ''} prints, with #t=<the token> in place of what is behind #`,
    );
    cli.note(
      'It is shown this once. To end it: ' +
        revokeText(everywhere ? 'clifford' : cli.called, name, everywhere),
    );
  });
}

/** `clifford serve token list`. */
export async function listWebTokens(cli: Cli, json: boolean, everywhere: boolean): Promise<void> {
  await withTokens(cli, everywhere, async ({ key }) => {
    const tokens = await readTokens(cli.env, key);
    if (json)
      return cli.printJson(
        tokens.map((token) => ({ ...token, digest: undefined, isExpired: isExpired(token) })),
      );
    if (tokens.length === 0)
      return cli.say(
        'No tokens, but that of each start. To make one: clifford serve token add phone' +
          (everywhere ? ' --everywhere' : ''),
      );
    cli.printLines(
      columns(tokens.map((token) => [visibleLine(token.name), mayText(token.may), validText(token)])),
    );
  });
}

/** `clifford serve token revoke`. */
export async function revokeWebToken(cli: Cli, name: string, everywhere: boolean): Promise<void> {
  await withTokens(cli, everywhere, async ({ key, roots, requireHuman }) => {
    requireHuman('revoke a token');
    const elsewhere = once(() => revocationsElsewhere(cli.env, key, name));
    const { digest } = await revokeToken(cli.env, key, name, elsewhere);
    for (const root of roots)
      await removePushSubscriptions({ root, env: cli.env }, ({ token }) => token === digest);
    cli.print(`revoked ${visibleLine(name)}: pages that use it are closed`);
    for (const command of await elsewhere())
      cli.note(`There is another one of that name. To end it, too: ${command}`);
  });
}

/** How to end the tokens of this name that others have: the projects of the list, and the server of all of them. None, where that cannot be read. */
async function revocationsElsewhere(env: Env, key: string, name: string): Promise<readonly string[]> {
  try {
    return await tokensElsewhere(env, key, name);
  } catch (error) {
    if (error instanceof CliffordError) return [];
    throw error;
  }
}

async function tokensElsewhere(env: Env, key: string, name: string): Promise<readonly string[]> {
  const places = [
    { root: ALL_PROJECTS, command: revokeText('clifford', name, true) },
    ...(await listProjects(env)).map((project) => ({
      root: project.root,
      command: revokeText(calledIn(project.name), name, false),
    })),
  ].filter(({ root }) => root !== key);
  const commands = places.map(async ({ root, command }) =>
    (await hasToken(env, root, name)) ? [command] : [],
  );
  return (await Promise.all(commands)).flat();
}

function revokeText(called: string, name: string, everywhere: boolean): string {
  return `${called} serve token revoke ${printedWord(name)}${everywhere ? ' --everywhere' : ''}`;
}

function mayText(may: Access): string {
  return may === 'decide' ? 'may decide' : 'may only read';
}

/** `made 3 d ago, until 2026-03-01 14:05`. */
function validText(token: NamedToken): string {
  const { expiresAt, at } = token;
  const now = Date.now();
  const made = `made ${waitedText(now - Date.parse(at))} ago`;
  if (expiresAt === undefined) return `${made}, until it is revoked`;
  const end = Date.parse(expiresAt);
  return isExpired(token, now)
    ? `${made}, expired ${waitedText(now - end)} ago`
    : `${made}, until ${clockText(end, now)}`;
}
