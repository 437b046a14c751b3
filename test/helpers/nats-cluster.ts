import { jetstreamManager, type JetStreamManager, type StreamConfig } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { freePorts } from './free-ports.ts';
import type { NatsUse } from './nats-binary.ts';
import { NatsProcess, startAll, tryUntilDone } from './nats-process.ts';

const SIZE = 3;
/** How long they may take to be together, in ms. */
const WHOLE_MS = 60_000;

/** Three servers on loopback that keep streams together. */
export class NatsCluster {
  readonly #config: string;
  readonly #use: NatsUse;
  #servers: readonly NatsProcess[] = [];

  /**
   * @param config - More of the configuration of each: whoever names no user has to be let in.
   * @param use - Which program they are. Default: one that is new enough for a cluster.
   */
  constructor(config = '', use: NatsUse = 'cluster') {
    this.#config = config;
    this.#use = use;
  }

  /** Where each is: `127.0.0.1:port`. */
  get addresses(): readonly string[] {
    return this.#servers.map(({ address }) => address);
  }

  /** @param tries - A port that was free may be taken by somebody else before a server listens there. */
  async start(tries = 2): Promise<void> {
    const ports = await freePorts(SIZE);
    const routes = ports.map((port) => `nats-route://127.0.0.1:${port}`).join(', ');
    this.#servers = ports.map(
      (port, index) =>
        new NatsProcess(
          `server_name: n${index}\ncluster { name: test, listen: "127.0.0.1:${port}", routes: [${routes}] }\n${this.#config}`,
          this.#use,
        ),
    );
    try {
      await startAll(this.#servers);
    } catch (error) {
      if (tries === 1) throw error;
      await Promise.all(this.#servers.map((server) => server.remove()));
      return this.start(tries - 1);
    }
    // They answer before they have found each other.
    await this.#ask((manager) =>
      tryUntilDone(WHOLE_MS, () =>
        manager.streams.add({ name: 'whole', subjects: ['whole'], num_replicas: SIZE }),
      ),
    );
  }

  /** Ends at once the server that leads a stream, starts it again, and waits until all are together, for so many ms at most. */
  async killLeaderOf(stream: string, { timeout = WHOLE_MS }: { timeout?: number } = {}): Promise<void> {
    const leader = await this.#ask((manager) =>
      tryUntilDone(WHOLE_MS, async () => {
        const { cluster } = await manager.streams.info(stream);
        const server = this.#servers[Number(cluster?.leader?.slice(1))];
        if (!server) throw new Error(`Nobody leads ${stream}`);
        return server;
      }),
    );
    await leader.kill();
    await leader.start();
    await this.#ask((manager) =>
      tryUntilDone(timeout, async () => {
        const { cluster: now } = await manager.streams.info(stream);
        const isThere = now?.replicas?.every(({ current, offline }) => current && offline !== true);
        if (isThere !== true) throw new Error('A server of the cluster is away');
      }),
    );
  }

  async addStream(config: Partial<StreamConfig> & { name: string }): Promise<void> {
    await this.#ask((manager) => manager.streams.add(config));
  }

  async #ask<T>(what: (manager: JetStreamManager) => Promise<T>): Promise<T> {
    const connection = await connect({ servers: [...this.addresses] });
    try {
      return await what(await jetstreamManager(connection, { checkAPI: false }));
    } finally {
      await connection.close();
    }
  }

  async remove(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.remove()));
  }
}
