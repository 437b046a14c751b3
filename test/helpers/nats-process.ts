import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findNatsServer, HOW_TO_GET_NATS, type NatsUse } from './nats-binary.ts';

/** How long a server may take to say which port it has, in ms, and how often it is asked. */
const START_MS = 30_000;
const LOOK_MS = 20;

/** A server on loopback with JetStream, on any port that is free, in a folder of its own. */
export class NatsProcess {
  readonly #config: string;
  readonly #use: NatsUse;
  readonly #storage: string;
  #folder = '';
  #process: ChildProcess | undefined;
  #port = -1;

  /** `config`: more of its configuration, e.g. users; `storage`: more of how it keeps streams. */
  constructor(config = '', use: NatsUse = 'one', storage = '') {
    this.#config = config;
    this.#use = use;
    this.#storage = storage;
  }

  get port(): number {
    return this.#port;
  }

  /** Of its process, while it runs. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** What it keeps, once it was started. */
  get folder(): string {
    return this.#folder;
  }

  /** `127.0.0.1:port`. */
  get address(): string {
    return `127.0.0.1:${this.#port}`;
  }

  /** Starts it; once more with the same port and folder. */
  async start(): Promise<void> {
    const program = findNatsServer(this.#use);
    if (program === undefined) throw new Error(`Cannot start a server: ${HOW_TO_GET_NATS}`);
    this.#folder ||= await mkdtemp(join(tmpdir(), 'clifford-nats-'));
    const file = join(this.#folder, 'server.conf');
    // -1: any port that is free, which it says in a file.
    await writeFile(
      file,
      `host: 127.0.0.1\nport: ${this.#port}\nports_file_dir: ${JSON.stringify(this.#folder)}\n` +
        `jetstream { store_dir: ${JSON.stringify(this.#folder)}, ${this.#storage} }\n${this.#config}\n`,
    );
    const child = spawn(program, ['-c', file], { stdio: 'ignore' });
    this.#process = child;
    this.#port = await portIn(join(this.#folder, `nats-server_${child.pid}.ports`));
  }

  /** Ends it at once. */
  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  /** Ends it, and removes what it has kept. */
  async remove(): Promise<void> {
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** Starts all of them. Fails once none is being started any more, so that what is there can be removed. */
export async function startAll(servers: readonly { start(): Promise<void> }[]): Promise<void> {
  const starts = servers.map((server) => server.start());
  await Promise.allSettled(starts);
  await Promise.all(starts);
}

/** The port that a server writes into a file. */
function portIn(file: string): Promise<number> {
  return tryUntilDone(START_MS, async () => {
    const { nats } = JSON.parse(await readFile(file, 'utf8')) as { nats: string[] };
    return Number(new URL(nats[0] ?? '').port);
  });
}

/** Does it again while it fails, for so long in ms. Benches, which are no tests, wait for a server by this, too. */
export async function tryUntilDone<T>(limitMs: number, work: () => Promise<T>): Promise<T> {
  for (const deadline = performance.now() + limitMs; ; await pause(LOOK_MS)) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() >= deadline) throw error;
    }
  }
}
