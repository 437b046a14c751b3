import { CliffordError } from '../../errors.ts';
import type { SuggestedRule } from '../../gateway/backtest/suggest-rules.ts';
import { MCP_CONFIG_FILE } from '../../gateway/config/load-mcp-config.ts';
import { parseMcpConfig } from '../../gateway/config/parse-mcp-config.ts';
import type { Json } from '../../lib/json/json-edits.ts';
import { count } from '../../lib/text/count.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { requireHuman } from '../../workflow/project/require-human.ts';
import type { Cli } from '../cli.ts';
import { exitCodes } from '../exit-codes.ts';
import { agree } from '../init/agree.ts';
import { appendJson } from '../init/append-json.ts';
import { writeTarget } from '../init/target-file.ts';
import { mayTrustChange, trustWritten } from '../init/trust-written.ts';
import { canAsk } from '../input/yes-or-no.ts';
import { cannotChange, readConfigText } from '../mcp/add-to-config.ts';
import type { McpPlace } from '../mcp/mcp-place.ts';

/**
 * Shows what rules make of `mcp.json`, and writes them once a person agrees, who trusts the file by that unless more is in it
 * that nobody has trusted.
 *
 * @throws {CliffordError} `NOT_A_HUMAN`, `POLICY_WRITE_UNCONFIRMED`, `MCP_CONFIG_UNCHANGEABLE`, and as {@link writeTarget}.
 */
export async function writeRules(
  cli: Cli,
  { stateDir }: Pick<McpPlace, 'stateDir'>,
  suggested: readonly SuggestedRule[],
  { yes = false }: { readonly yes?: boolean },
): Promise<void> {
  requireHuman(cli, `write rules into ${MCP_CONFIG_FILE}`, { dir: stateDir });
  const { file, root, before } = await readConfigText(cli);
  const after = suggested.reduce((text, rule) => withRule(file, text, rule), before ?? '');
  const { policy } = parseMcpConfig({ file, root, env: cli.env }, after);
  if ('unreadable' in policy) throw cannotChange(file, policy.unreadable);
  const rules = count(suggested.length, 'rule');
  const change = { path: file, shown: MCP_CONFIG_FILE, about: rules, before, after };
  const mayTrust = await mayTrustChange(cli, root, { isAgreed: yes });
  const isAsked = !yes && canAsk(cli);
  const mode = yes ? 'yes' : isAsked ? 'ask' : 'show';
  const proposal = { findings: [{ is: 'wanted', change } as const], isBrief: false };
  const { agreed, isStopped } = await agree(cli, proposal, { mode, force: false });
  if (isStopped) return cli.endWith(exitCodes.interrupted);
  if (agreed.length === 0 && !isAsked) throw cannotAsk();
  if (agreed.length === 0) {
    cli.print('nothing was written');
    return cli.endWith(exitCodes.failed);
  }
  await writeTarget(file, before, after);
  const isTrusted = await trustWritten(cli, { root, file, text: after, mayTrust });
  cli.print(visibleLine(`wrote ${rules} to ${file}${isTrusted ? ', trusted' : ''}`));
  if (!isTrusted) cli.print(`next: ${cli.called} mcp trust`);
}

function withRule(file: string, text: string, { list, rule, decision }: SuggestedRule): string {
  const value: Json = { ...rule, decision };
  const merge = appendJson(text, { path: ['policy', ...list.split('.')], value });
  if (merge.is === 'refused') throw cannotChange(file, merge.reason);
  return merge.is === 'there' ? text : merge.text;
}

function cannotAsk() {
  return new CliffordError('Cannot ask whether to write these rules: there is no terminal', {
    code: 'POLICY_WRITE_UNCONFIRMED',
    fix: 'Look at them above, then write them with --yes',
  });
}
