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

/** What programs need that reach a network through a proxy, or a host whose certificate only this network knows. */
const NETWORK_VARIABLES = [
  'NODE_EXTRA_CA_CERTS',
  'NODE_USE_SYSTEM_CA',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
].flatMap((name) => (name.endsWith('_PROXY') ? [name, name.toLowerCase()] : [name]));

/** Which of these our own environment has and a server is not handed. */
export function missingNetworkVariables(
  own: Readonly<Record<string, string | undefined>>,
  configured: Readonly<Record<string, string>>,
): string[] {
  const handed = childEnvironment(own, configured);
  return NETWORK_VARIABLES.filter((name) => own[name] && !Object.hasOwn(handed, name));
}

/** What to write into `mcp.json` to hand variables on: `"env": { "HTTPS_PROXY": "${HTTPS_PROXY}" }`. */
export function envEdit(names: readonly string[]): string {
  return `"env": { ${names.map((name) => `"${name}": "\${${name}}"`).join(', ')} }`;
}
