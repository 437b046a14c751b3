import { join } from 'node:path';
import { loadMcpConfig } from '../../gateway/config/load-mcp-config.ts';
import { parseMcpConfig } from '../../gateway/config/parse-mcp-config.ts';
import { recordTrust, trustOf } from '../../gateway/config/trust.ts';
import { STATE_DIR } from '../../workflow/project/project-root.ts';
import { isHuman } from '../../workflow/project/require-human.ts';
import type { Cli } from '../cli.ts';
import { canAsk } from '../input/yes-or-no.ts';

/**
 * Says, before `mcp.json` is changed, whether what becomes of it may be trusted by whoever agrees to the change: all that
 * is in it by now is trusted already, or allows nothing; and a person sits at this terminal.
 *
 * @param isAgreed - Whoever calls the command has said so by an option: nobody is asked.
 */
export async function mayTrustChange(
  cli: Cli,
  root: string,
  { isAgreed = false }: { readonly isAgreed?: boolean } = {},
): Promise<boolean> {
  if (!(isAgreed || canAsk(cli)) || !isHuman(cli, { dir: join(root, STATE_DIR) })) return false;
  const env = lastingEnv(cli);
  return (await trustOf(root, await loadMcpConfig({ root, env }), env)).is === 'trusted';
}

/**
 * Remembers that a person trusts this text of `mcp.json`, which they were shown, where it has to be trusted.
 *
 * @returns whether it is trusted now.
 * @throws {CliffordError} `TRUST_UNREADABLE`, `TRUST_UNWRITABLE`
 */
export async function trustWritten(
  cli: Cli,
  { root, file, text, mayTrust }: { root: string; file: string; text: string; mayTrust: boolean },
): Promise<boolean> {
  const env = lastingEnv(cli);
  const reading = parseMcpConfig({ file, root, env }, text);
  if ((await trustOf(root, reading, env)).is === 'trusted') return true;
  if (mayTrust) await recordTrust(root, reading, env);
  return mayTrust;
}

/** What the environment trusts for once is not remembered by that. */
function lastingEnv({ env: { CLIFFORD_TRUST_PROJECT: _once, ...env } }: Pick<Cli, 'env'>): Cli['env'] {
  return env;
}
