import type { ConfigProblem } from '../../workflow/config/config-problem.ts';
import type { PolicyConfig, UnreadablePolicy } from './policy-config.ts';
import type { McpServerConfig } from './server-config.ts';
import type { ShownServer } from './shown-server.ts';

/** A problem of one entry of `mcp.json`; without an id it is about the file as a whole or about its policy. */
export type McpConfigProblem = ConfigProblem & { readonly serverId?: string };

/**
 * What a person trusts, apart from its layout: for each server what would be run or reached, and the policy that
 * judges its calls. Base64url SHA-256 of what stands in the file, variables by their names.
 */
export type TrustDigests = {
  readonly servers: ReadonlyMap<string, string>;
  readonly policy: string;
};

/** What `mcp.json` says, with all that is wrong with it. */
export type McpConfigReading = {
  /** Absolute. */
  readonly file: string;
  /** False where there is no such file: no servers, the default policy. */
  readonly exists: boolean;
  /** The servers that can be used, the disabled ones too, in the order of the file. */
  readonly servers: readonly McpServerConfig[];
  /** The ids of servers that stand in the file and cannot be used. `problems` says why. */
  readonly misconfigured: readonly string[];
  /** Every server that stands in the file, as it can be shown: no value of a variable, no secret. */
  readonly shown: readonly ShownServer[];
  readonly policy: PolicyConfig | UnreadablePolicy;
  readonly problems: readonly McpConfigProblem[];
  /** What does no harm to the reading: unknown keys, values that look like secrets. One line each. */
  readonly warnings: readonly string[];
  readonly digests: TrustDigests;
  /** Of {@link digests} as a whole, base64url SHA-256: changes when there is something new to trust. */
  readonly digest: string;
};
