import { setTimeout as pause } from 'node:timers/promises';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { CliffordError } from '../../errors.ts';
import { backoffMs } from '../../lib/time/backoff.ts';
import { closingSockets } from './closing-sockets.ts';
import { connectError } from './connect-error.ts';
import { connectionOptions } from './connection-options.ts';
import type { LogAddress } from './log-address.ts';

/** How long it may take to connect, in ms. */
const CONNECT_MS = 5_000;
/** How long a request is tried again while the server does not answer, in ms: a new leader takes 4 to 9 s. */
export const PATIENCE_MS = 20_000;
/** Pauses between these tries. */
export const PAUSE = { firstMs: 20, longestMs: 500 };
/** Pauses between two tries to connect again, in ms. */
const RECONNECT = { reconnectTimeWait: 250, reconnectJitter: 100, reconnectJitterTLS: 100 };

/** How often the server is asked whether it is there, in ms, and how often it may not answer: of a link that fails nobody tells. */
const PINGS = { pingInterval: 5_000, maxPingOut: 2 };

/** How long a server that is away is waited for. */
export type Patience = {
  /** It was there a moment ago: one that cannot be connected to is tried again, for {@link PATIENCE_MS}. Default: it is tried once. */
  readonly isPatient?: boolean | undefined;
  /** Is told that it is away, once each time, and that it is waited for until it is back. Default: for {@link PATIENCE_MS} at most. */
  readonly onAway?: ((error: CliffordError) => void) | undefined;
  /** Until when it is waited for where `onAway` is told of it, as `performance.now()` has it; a request that is made is tried for {@link PATIENCE_MS} all the same, the first of an outage. Default: until it is back. */
  readonly awayUntil?: number | undefined;
};

/** A connection, and why the file with its login was of no use when it was read last. */
export type Connected = Pick<ReturnType<typeof connectionOptions>, 'loginTrouble'> & {
  readonly connection: NatsConnection;
  /** Closes it. What it has sent by then may get lost. */
  readonly close: () => Promise<void>;
};

/** Connects to the server of a log. Later the client connects again whenever the connection is lost. */
export async function connected(
  address: LogAddress,
  { isPatient, onAway, awayUntil = Infinity }: Patience,
): Promise<Connected> {
  const { options, loginTrouble } = connectionOptions(address);
  const deadline = onAway ? awayUntil : isPatient ? performance.now() + PATIENCE_MS : 0;
  for (let tries = 0; ; tries += 1) {
    try {
      const { made: connection, closeSockets } = await closingSockets(() =>
        connect({
          ...options,
          ...RECONNECT,
          ...PINGS,
          name: 'clifford',
          timeout: CONNECT_MS,
          maxReconnectAttempts: -1,
          ignoreAuthErrorAbort: true,
          // The login is shown to those alone that somebody has named, whatever a server says of others.
          ignoreClusterUpdates: true,
        }),
      );
      const close = async () => {
        await connection.close().finally(closeSockets);
      };
      return { connection, close, loginTrouble };
    } catch (cause) {
      const error = connectError(address, cause);
      const isAway = error instanceof CliffordError && error.code === 'LOG_UNREACHABLE';
      if (!isAway || performance.now() >= deadline) throw error;
      if (tries === 0) onAway?.(error);
      await pause(backoffMs(PAUSE, tries));
    }
  }
}
