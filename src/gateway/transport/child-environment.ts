import { DEFAULT_INHERITED_ENV_VARS } from '@modelcontextprotocol/sdk/client/stdio.js';

/**
 * The environment of a server: what every program needs (`PATH`, `HOME` and the like, as the MCP SDK has it), and
 * what its entry in `mcp.json` says. Nothing else of ours: it is where our secrets are.
 */
export function childEnvironment(
  own: Readonly<Record<string, string | undefined>>,
  configured: Readonly<Record<string, string>>,
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const name of DEFAULT_INHERITED_ENV_VARS) {
    const value = own[name];
    // A function exported by bash: code, not a value.
    if (value !== undefined && !value.startsWith('()')) env[name] = value;
  }
  return { ...env, ...configured };
}
