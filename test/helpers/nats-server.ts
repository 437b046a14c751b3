import { jetstreamManager, type JetStreamManager, type StreamConfig } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe } from 'vitest';
import { findNatsServer, HOW_TO_GET_NATS } from './nats-binary.ts';
import { NatsProcess } from './nats-process.ts';

/** A server of a test file, and what somebody else does there. */
export class NatsServer extends NatsProcess {
  publish(subject: string, text: string): Promise<void> {
    return this.#use(async (manager) => void (await manager.jetstream().publish(subject, text)));
  }

  /** Returns what the server has made of it: it leaves out what it does not know. */
  addStream(config: Partial<StreamConfig> & { name: string }): Promise<StreamConfig> {
    return this.#use(async (manager) => (await manager.streams.add(config)).config);
  }

  removeStream(name: string): Promise<void> {
    return this.#use(async (manager) => void (await manager.streams.delete(name)));
  }

  /** How many messages a stream has. */
  messagesIn(stream: string): Promise<number> {
    return this.#use(async (manager) => (await manager.streams.info(stream)).state.messages);
  }

  /** The consumers of a stream: what each is called, and how long nobody may ask it before the server removes it, in ms. */
  consumers(stream: string): Promise<{ name: string; inactiveMs: number }[]> {
    return this.#use(async (manager) => {
      const infos = await Array.fromAsync(manager.consumers.list(stream));
      return infos.map(({ name, config }) => ({ name, inactiveMs: (config.inactive_threshold ?? 0) / 1e6 }));
    });
  }

  hasStream(name: string): Promise<boolean> {
    return this.#use(async (manager) => {
      for await (const stream of manager.streams.names()) if (stream === name) return true;
      return false;
    });
  }

  async #use<T>(work: (manager: JetStreamManager) => Promise<T>): Promise<T> {
    const connection = await connect({ servers: this.address });
    try {
      return await work(await jetstreamManager(connection));
    } finally {
      await connection.close();
    }
  }
}

const hasProgram = findNatsServer() !== undefined;

/**
 * Tests that need a server: `tests` gets it, and it is there while they run. Without a program for it they are skipped.
 *
 * @param config - More of its configuration, e.g. users.
 * @param missing - What else is not there, for which they are skipped.
 */
export function describeWithNats(
  name: string,
  tests: (server: NatsServer) => void,
  { config, missing }: { config?: string; missing?: string | undefined } = {},
): void {
  const why = hasProgram ? missing : HOW_TO_GET_NATS;
  describe.skipIf(why !== undefined)(`${name}${why === undefined ? '' : ` (skipped: ${why})`}`, () => {
    const server = new NatsServer(config);
    beforeAll(() => server.start());
    afterAll(() => server.remove());
    tests(server);
  });
}
