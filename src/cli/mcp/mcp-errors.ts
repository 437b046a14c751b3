import { CliffordError } from '../../errors.ts';
import type { McpConfigReading } from '../../gateway/config/mcp-config-reading.ts';
import type { TrustState } from '../../gateway/config/trust.ts';
import { didYouMean } from '../../lib/text/did-you-mean.ts';

/** A person has not seen yet what would run. */
export function notTrusted(file: string, trust: Exclude<TrustState, { is: 'trusted' }>): CliffordError {
  return new CliffordError(`Cannot start a server of ${file}: ${whyUntrusted(trust)}`, {
    code: 'MCP_UNTRUSTED',
    fix: 'Look at what it would run, and trust it, with: clifford mcp trust',
  });
}

/** Why, as a clause. */
export function whyUntrusted(trust: Exclude<TrustState, { is: 'trusted' }>): string {
  return trust.is === 'new'
    ? 'nobody has trusted it yet'
    : `it has changed since it was trusted (${trust.changes.join(', ')})`;
}

/** A remark to whoever looks at the policy: what of it does not hold yet. None where all of it does. */
export function uncounted(trust: TrustState): string[] {
  return trust.is === 'trusted' ? [] : [`what mcp.json allows does not count yet: ${whyUntrusted(trust)}`];
}

/** No server of this name stands in the file, or there is no file. */
export function noSuchServer(
  id: string,
  { file, exists, shown }: Pick<McpConfigReading, 'file' | 'exists' | 'shown'>,
): CliffordError {
  const known = shown.map((server) => server.id);
  const why = exists ? `${file} has no such server${didYouMean(id, known)}` : `there is no ${file}`;
  return new CliffordError(`Cannot find the server ${id}: ${why}`, {
    code: 'MCP_SERVER_UNKNOWN',
    fix:
      known.length === 0
        ? 'Add one with: clifford mcp add <server> -- <command> [args…]'
        : `Name one of: ${known.join(', ')}`,
  });
}

/** It stands there, and cannot be used. `why` is a clause. */
export function unusableServer(id: string, why: string, fix: string): CliffordError {
  return new CliffordError(`Cannot use the server ${id}: ${why}`, {
    code: 'MCP_SERVER_UNUSABLE',
    fix,
  });
}

/** A server has no tool of this name. */
export function noSuchToolOf(id: string, tool: string, known: readonly string[]): CliffordError {
  return new CliffordError(`Cannot find the tool ${tool}: ${id} has no such tool${didYouMean(tool, known)}`, {
    code: 'MCP_TOOL_UNKNOWN',
    fix: `See what it has with: clifford mcp inspect ${id}`,
  });
}

/** `--args` is no object. */
export function badArguments(text: string, why: string): CliffordError {
  return new CliffordError(`Cannot read --args ${text.slice(0, 80)}: ${why}`, {
    code: 'MCP_ARGUMENTS_INVALID',
    fix: `Write a JSON object, quoted for the shell: --args '{"path": "README.md"}'`,
  });
}
