import type { Readable, Writable } from 'node:stream';
import { execa } from 'execa';
import { identify } from './process-identity.ts';
import type { ProcessIdentity } from './process-identity.ts';
import { allGone, terminate } from './terminate.ts';
import type { KillTarget } from './terminate.ts';

export type OutputChannel = 'stdout' | 'stderr';

/** How an agent ended. One of `code` and `signal` is set. */
export type AgentExit = {
  readonly code: number | null;
  readonly signal: string | null;
  readonly durationMs: number;
};

export type AgentStart = {
  readonly file: string;
  readonly args: readonly string[];
  /** Written to stdin, which is then closed. `undefined`: stdin is empty. */
  readonly input: string | undefined;
  /** Instead of an empty stdin one that stays open, see {@link AgentProcess.type}. */
  readonly keepsStdin?: boolean;
  readonly cwd: string;
  /** All of its environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly onOutput: (channel: OutputChannel, chunk: Uint8Array) => void;
  /** What it started that is not in its group, as far as that can be known. Asked when the group is gone. */
  readonly findStrays: () => readonly KillTarget[];
  /** Between SIGTERM and SIGKILL, in ms. */
  readonly killGraceMs: number;
};

/** How long what an agent started may outlive it before it is ended, in ms: its MCP servers take leave. */
const LINGER_MS = 2_000;

/** How long its output may stay open once its group is gone, held by a process that left the group, in ms. */
const DRAIN_MS = 1_000;

/** How often what starts others while it is ended is ended anew. */
const LAST_ROUNDS = 5;

/** One agent, in a process group of its own: what it starts ends with it. */
export class AgentProcess {
  readonly identity: ProcessIdentity;
  /**
   * Resolves when the agent has exited, nothing of its group lives and its output was read to the end.
   * Rejects with `AGENT_SURVIVES` when that cannot be brought about.
   */
  readonly ended: Promise<AgentExit>;
  readonly #group: number;
  readonly #findStrays: () => readonly KillTarget[];
  readonly #stdin: Writable | undefined;
  readonly #killGraceMs: number;
  readonly #fail: (error: unknown) => void;
  #ladder: Promise<void> | undefined;

  /** Use {@link startAgent}. */
  constructor(parts: {
    identity: ProcessIdentity;
    stdin: Writable | undefined;
    exited: Promise<AgentExit>;
    outputs: readonly Readable[];
    findStrays: () => readonly KillTarget[];
    killGraceMs: number;
  }) {
    this.identity = parts.identity;
    this.#group = -parts.identity.pid;
    this.#stdin = parts.stdin;
    // Of an agent that has closed it: whoever types is told.
    this.#stdin?.on('error', () => this.#stdin?.destroy());
    this.#findStrays = parts.findStrays;
    this.#killGraceMs = parts.killGraceMs;
    const { promise, resolve, reject } = Promise.withResolvers<AgentExit>();
    this.ended = promise;
    this.#fail = reject;
    this.#end(parts).then(resolve, reject);
  }

  /** Whether something can be typed into it. */
  get isTypable(): boolean {
    return this.#stdin?.writable ?? false;
  }

  /** Writes to its stdin. Returns whether the system took it. */
  async type(text: string): Promise<boolean> {
    const stdin = this.#stdin;
    if (!stdin?.writable) return false;
    return new Promise((resolve) => {
      stdin.write(text, (error) => resolve(error === undefined || error === null));
    });
  }

  /** Ends the group: SIGTERM, grace, SIGKILL. Returns at once; {@link ended} tells when it is done. */
  stop(): void {
    this.#ladder ??= terminate([this.#group], { graceMs: this.#killGraceMs });
    this.#ladder.catch(this.#fail);
  }

  async #end({ exited, outputs }: { exited: Promise<AgentExit>; outputs: readonly Readable[] }) {
    const drained = Promise.all(outputs.map(closed));
    const exit = await exited;
    if (!(await allGone([this.#group], LINGER_MS))) this.stop();
    await this.#ladder;
    await this.#endStrays();
    const timer = setTimeout(() => outputs.forEach((output) => output.destroy()), DRAIN_MS);
    await drained;
    clearTimeout(timer);
    return exit;
  }

  /** Ends what has left the group: several agents give each shell of theirs a group of its own. */
  async #endStrays(): Promise<void> {
    const strays = this.#findStrays();
    if (strays.length === 0 || (await allGone(strays, LINGER_MS))) return;
    await terminate(strays, { graceMs: this.#killGraceMs });
    // What they started when they were told to end: by now nothing of it has leave to take.
    for (let round = 0; round < LAST_ROUNDS; round++) {
      const late = this.#findStrays();
      if (late.length === 0) return;
      await terminate(late, { graceMs: 0 });
    }
  }
}

function closed(output: Readable): Promise<void> {
  return new Promise((resolve) => {
    if (output.closed) resolve();
    else output.once('close', resolve);
  });
}

/** Starts an agent without a shell. When the system cannot start it, says why instead. */
export async function startAgent(start: AgentStart): Promise<AgentProcess | { readonly problem: string }> {
  const startedAt = performance.now();
  const subprocess = execa(start.file, start.args, {
    cwd: start.cwd,
    // Several agents take $PWD for the folder they work in.
    env: { ...start.env, PWD: start.cwd },
    extendEnv: false,
    detached: true,
    buffer: false,
    encoding: 'buffer',
    reject: false,
    stdout: 'pipe',
    stderr: 'pipe',
    ...(start.input !== undefined
      ? { input: start.input }
      : { stdin: start.keepsStdin ? ('pipe' as const) : ('ignore' as const) }),
  });
  if (subprocess.pid === undefined) {
    const { originalMessage, shortMessage } = await subprocess;
    return { problem: originalMessage ?? shortMessage ?? 'the system did not say why' };
  }
  const { stdout, stderr, nodeChildProcess } = subprocess;
  stdout.on('data', (chunk: Uint8Array) => start.onOutput('stdout', chunk));
  stderr.on('data', (chunk: Uint8Array) => start.onOutput('stderr', chunk));
  const exited = new Promise<AgentExit>((resolve) => {
    nodeChildProcess.once('exit', (code, signal) =>
      resolve({ code, signal, durationMs: Math.round(performance.now() - startedAt) }),
    );
  });
  // It cannot be gone yet: it is reaped in a later turn of the event loop.
  const identity = identify(subprocess.pid);
  return new AgentProcess({
    identity,
    stdin: start.keepsStdin && start.input === undefined ? (subprocess.stdin ?? undefined) : undefined,
    exited,
    outputs: [stdout, stderr],
    findStrays: start.findStrays,
    killGraceMs: start.killGraceMs,
  });
}
