import { realpathSync } from 'node:fs';
import { visibleLine } from '../../lib/text/visible.ts';
import { clockText } from '../../lib/time/clock-text.ts';
import { waitedText } from '../../lib/time/duration.ts';
import {
  addToken,
  isExpired,
  readTokens,
  revokeToken,
  type Access,
  type NamedToken,
} from '../../web/server/tokens/named-tokens.ts';
import { removePushSubscriptions } from '../../workflow/push/push-subscriptions.ts';
import { requireHuman } from '../../workflow/project/require-human.ts';
import type { Cli } from '../cli.ts';
import { withProject } from '../project/with-project.ts';
import { columns } from '../text/columns.ts';

type NewToken = {
  readonly name: string;
  readonly may: Access;
  /** Default: it stays valid until it is revoked. */
  readonly validMs?: number | undefined;
  readonly json: boolean;
};

/** `clifford serve token add`. */
export async function addWebToken(cli: Cli, { name, may, validMs, json }: NewToken): Promise<void> {
  await withProject(cli, async (project) => {
    requireHuman(cli, 'make a token', project);
    const expiresAt = validMs === undefined ? undefined : new Date(Date.now() + validMs).toISOString();
    const token = await addToken(cli.env, realpathSync(project.root), { name, may, expiresAt });
    if (json) return cli.print(JSON.stringify({ name, token, may, expiresAt }));
    cli.print(token);
    cli.note(
      `${visibleLine(name)} ${mayText(may)}${expiresAt ? ` until ${clockText(Date.parse(expiresAt), Date.now())}` : ''}: open the address that clifford serve prints, with #t=<the token> in place of what is behind #`,
    );
    cli.note('It is shown this once. To end it: clifford serve token revoke ' + JSON.stringify(name));
  });
}

/** `clifford serve token list`. */
export async function listWebTokens(cli: Cli, json: boolean): Promise<void> {
  await withProject(cli, async (project) => {
    const tokens = await readTokens(cli.env, realpathSync(project.root));
    if (json)
      return cli.printJson(
        tokens.map((token) => ({ ...token, digest: undefined, isExpired: isExpired(token) })),
      );
    if (tokens.length === 0)
      return cli.say('No tokens, but that of each start. To make one: clifford serve token add phone');
    cli.printLines(
      columns(tokens.map((token) => [visibleLine(token.name), mayText(token.may), validText(token)])),
    );
  });
}

/** `clifford serve token revoke`. */
export async function revokeWebToken(cli: Cli, name: string): Promise<void> {
  await withProject(cli, async (project) => {
    requireHuman(cli, 'revoke a token', project);
    const { digest } = await revokeToken(cli.env, realpathSync(project.root), name);
    const place = { root: project.root, env: cli.env };
    await removePushSubscriptions(place, ({ token }) => token === digest);
    cli.print(`revoked ${visibleLine(name)}: pages that use it are closed`);
  });
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
