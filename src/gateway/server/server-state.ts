import type { McpServerConfig } from '../config/server-config.ts';

/**
 * How a server does: `starting` until it has answered `initialize` and listed its tools; `down` between two
 * attempts to reach it; `failed` when several in a row did not succeed (the next call tries again); `stopped`
 * when it was told to stop.
 */
export type ServerHealth = 'starting' | 'ready' | 'down' | 'stopped' | 'failed';

/** What a server said of itself when it was initialised. */
export type ServerIdentity = {
  readonly name: string;
  readonly version: string;
  /** The protocol version agreed on. */
  readonly protocol: string;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly instructions?: string | undefined;
};

/** One server of the gateway, at a moment. */
export type ServerState = {
  readonly id: string;
  readonly transport: McpServerConfig['transport'];
  readonly health: ServerHealth;
  /** Since when it is so, RFC 3339. */
  readonly since: string;
  /** As last listed; they stay known while the server is away. */
  readonly toolCount: number;
  /** Once it was initialised. */
  readonly server?: ServerIdentity | undefined;
  /** Why it is not ready, or what it does wrong, in one line: with its exit and the end of its stderr. */
  readonly problem?: string | undefined;
  /** How often it was started or reached anew, since it was first connected. */
  readonly restarts: number;
};
