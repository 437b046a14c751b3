import { CliffordError } from '../../errors.ts';
import { recordTrust, trustOf } from '../../gateway/config/trust.ts';
import type { Cli } from '../cli.ts';
import { exitCodes } from '../exit-codes.ts';
import { isHuman, requireHuman } from '../../workflow/project/require-human.ts';
import { lineWidth, paragraph } from '../text/paragraph.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { canAsk, yesOrNo } from '../input/yes-or-no.ts';
import type { McpConfigProblem } from '../../gateway/config/mcp-config-reading.ts';
import { clauseOf, fixOf, wholeMistake } from './mistakes.ts';
import { findMcpPlace, type McpPlace } from './mcp-place.ts';
import { trustLines } from './trust-lines.ts';

export type TrustOptions = { readonly yes?: true; readonly json?: true };

/** Shows what the servers of a project would run, and remembers that a person trusts it. */
export async function trustProject(cli: Cli, { yes, json }: TrustOptions): Promise<void> {
  const place = await findMcpPlace(cli);
  const { root, reading } = place;
  const unread = wholeMistake(reading);
  if (unread) throw unreadable(reading.file, unread);
  // What the environment trusts for once is not remembered by that.
  const { CLIFFORD_TRUST_PROJECT: _once, ...env } = cli.env;
  const before = await trustOf(root, reading, env);
  const isNew = before.is !== 'trusted';
  if (json && !(yes && isNew)) return print(cli, place, !isNew);
  if (isNew && yes) requireHuman(cli, `trust ${reading.file}`, { dir: place.stateDir });
  if (!json && !reading.exists) throw noFile(reading.file);
  // A run that has begun with another file has to hear it anew.
  if (!isNew && !json && isHuman(cli, { dir: place.stateDir })) await recordTrust(root, reading, env);
  if (before.is === 'trusted' && before.by === 'nothing to run')
    return cli.print(
      `nothing to trust: ${visibleLine(reading.file)} has no servers, and allows agents nothing`,
    );
  if (!json) show(cli, place);
  if (!isNew) return cli.print('trusted already, as it is');
  if (before.is === 'changed' && !json)
    cli.printLines(
      paragraph('changed since you trusted it: ', visibleLine(before.changes.join(', ')), lineWidth(cli)),
    );
  if (!yes) {
    if (!canAsk(cli)) throw cannotAsk();
    requireHuman(cli, `trust ${reading.file}`, { dir: place.stateDir });
    const answer = await yesOrNo(cli, 'Trust this?');
    if (answer === 'stop') return cli.endWith(exitCodes.interrupted);
    if (answer === 'no') {
      cli.print('not trusted: nothing of it is started');
      return cli.endWith(exitCodes.failed);
    }
  }
  await recordTrust(root, reading, env);
  if (json) return print(cli, place, true);
  const next = reading.shown.length === 0 ? 'policy list' : 'mcp list';
  cli.print(`trusted; you are asked again when any of it changes. Next: ${cli.called} ${next}`);
}

function print(cli: Cli, { root, reading }: McpPlace, trusted: boolean): void {
  const { file, shown } = reading;
  cli.printJson({ root, file, trusted, servers: shown });
  if (!trusted) cli.endWith(exitCodes.failed);
}

function show(cli: Cli, { reading }: McpPlace): void {
  const width = lineWidth(cli);
  const lead =
    reading.shown.length === 0
      ? `${visibleLine(reading.file)} says what agents may do, with your rights and unseen by you:`
      : `${visibleLine(reading.file)} can start and reach, with your rights and unseen by you:`;
  cli.printLines([...paragraph('', lead, width), ...trustLines(reading, width)]);
}

function unreadable(file: string, mistake: McpConfigProblem) {
  return new CliffordError(`Cannot trust ${file}: ${clauseOf(mistake)}`, {
    code: 'MCP_CONFIG_INVALID',
    fix: fixOf(mistake),
  });
}

function noFile(file: string) {
  return new CliffordError(`Cannot trust ${file}: there is no such file`, {
    code: 'MCP_CONFIG_MISSING',
    fix: 'Add a server first, with: clifford mcp add <server> -- <command> [args…]',
  });
}

function cannotAsk() {
  return new CliffordError('Cannot ask whether you trust this: there is no terminal', {
    code: 'MCP_TRUST_UNCONFIRMED',
    fix: 'Look at it above, then trust it with --yes',
  });
}
