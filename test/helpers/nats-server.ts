import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstreamManager, type JetStreamManager, type StreamConfig } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, vi } from 'vitest';
import { findNatsServer, HOW_TO_GET_NATS } from './nats-binary.ts';

/** A server of a test file on loopback, with JetStream in a folder of its own. */
export type NatsServer = {
  /** `127.0.0.1:port`. */
  readonly address: string;
  readonly port: number;
  /** Ends it at once, as a power cut would. */
  kill(): Promise<void>;
  /** Starts it again, with the same port and folder. */
  restart(): Promise<void>;
  /** What somebody else does there. */
  publish(subject: string, text: string): Promise<void>;
  addStream(config: Partial<StreamConfig> & { name: string }): Promise<void>;
  removeStream(name: string): Promise<void>;
  hasStream(name: string): Promise<boolean>;
};

const program = findNatsServer();

/**
 * Tests that need a server: `tests` gets it, and it is there while they run. Without a program for it they are skipped.
 *
 * @param config - More of its configuration, e.g. users.
 */
export function describeWithNats(
  name: string,
  tests: (server: NatsServer) => void,
  { config = '' }: { config?: string } = {},
): void {
  const reason = program === undefined ? ` (skipped: ${HOW_TO_GET_NATS})` : '';
  describe.skipIf(program === undefined)(`${name}${reason}`, () => {
    const server = new TestServer(config);
    beforeAll(() => server.start());
    afterAll(() => server.remove());
    tests(server);
  });
}

class TestServer implements NatsServer {
  readonly #config: string;
  #folder = '';
  #process: ChildProcess | undefined;
  #port = -1;

  constructor(config: string) {
    this.#config = config;
  }

  get port(): number {
    return this.#port;
  }

  get address(): string {
    return `127.0.0.1:${this.#port}`;
  }

  async start(): Promise<void> {
    if (program === undefined) throw new Error(`Cannot start a server: ${HOW_TO_GET_NATS}`);
    this.#folder ||= await mkdtemp(join(tmpdir(), 'clifford-nats-'));
    const file = join(this.#folder, 'server.conf');
    // -1: any port that is free, which it says in a file.
    await writeFile(
      file,
      `host: 127.0.0.1\nport: ${this.#port}\nports_file_dir: ${JSON.stringify(this.#folder)}\n` +
        `jetstream { store_dir: ${JSON.stringify(this.#folder)} }\n${this.#config}\n`,
    );
    const child = spawn(program, ['-c', file], { stdio: 'ignore' });
    this.#process = child;
    const ports = join(this.#folder, `nats-server_${child.pid}.ports`);
    this.#port = await vi.waitFor(() => portIn(ports), { timeout: 30_000, interval: 20 });
  }

  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (!child) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  restart(): Promise<void> {
    return this.start();
  }

  publish(subject: string, text: string): Promise<void> {
    return this.#use(async (manager) => void (await manager.jetstream().publish(subject, text)));
  }

  addStream(config: Partial<StreamConfig> & { name: string }): Promise<void> {
    return this.#use(async (manager) => void (await manager.streams.add(config)));
  }

  removeStream(name: string): Promise<void> {
    return this.#use(async (manager) => void (await manager.streams.delete(name)));
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

  async remove(): Promise<void> {
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** The port that a server has written. */
async function portIn(file: string): Promise<number> {
  const { nats } = JSON.parse(await readFile(file, 'utf8')) as { nats: string[] };
  return Number(new URL(nats[0] ?? '').port);
}
