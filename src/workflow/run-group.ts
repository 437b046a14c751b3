import { setTimeout as pause } from 'node:timers/promises';
import { execa } from 'execa';

/** A program to be run to its end, with whatever it starts. */
export type GroupStart = {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Added to the environment of this process; `undefined` takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Written to stdin. `undefined`: stdin is empty. */
  readonly input?: string | undefined;
  /** Ends it. */
  readonly signal: AbortSignal;
  readonly limitMs: number;
  readonly onOutput: (channel: 'stdout' | 'stderr', chunk: Buffer) => void;
};

/** How a program ended. */
export type GroupEnd = {
  /** `null` when a signal or the time limit ended it, or when it could not be started. */
  readonly code: number | null;
  /** In words: `ended with 1`. */
  readonly how: string;
  readonly durationMs: number;
};

/** Between SIGTERM and SIGKILL, in ms: less than an MCP server has left when its client is gone. */
const KILL_GRACE_MS = 400;

/** How long the output may stay open once the program has ended, in ms: a process that left the group has it. */
const DRAIN_MS = 500;

/**
 * Runs a program without a shell, in a process group of its own. Nothing of the group is left when it
 * returns: neither after the time limit, nor when the signal aborts, nor in the background.
 */
export async function runGroup(start: GroupStart): Promise<GroupEnd> {
  const { file, args, cwd, env = {}, input, signal, limitMs, onOutput } = start;
  const startedAt = performance.now();
  const end = (code: number | null, how: string): GroupEnd => ({
    code,
    how,
    durationMs: Math.round(performance.now() - startedAt),
  });
  const subprocess = execa(file, args, {
    cwd,
    env: { ...env },
    detached: true,
    buffer: false,
    encoding: 'buffer',
    reject: false,
    stdout: 'pipe',
    stderr: 'pipe',
    ...(input === undefined ? { stdin: 'ignore' as const } : { input }),
  });
  const { pid, stdout, stderr, nodeChildProcess } = subprocess;
  if (pid === undefined) {
    const { originalMessage, shortMessage } = await subprocess;
    return end(null, `could not be started: ${originalMessage ?? shortMessage ?? 'nobody knows why'}`);
  }
  stdout.on('data', (chunk: Buffer) => onOutput('stdout', chunk));
  stderr.on('data', (chunk: Buffer) => onOutput('stderr', chunk));
  const closed = Promise.all([closeOf(stdout), closeOf(stderr)]);
  const limit = AbortSignal.timeout(limitMs);
  const stop = AbortSignal.any([signal, limit]);
  let killing: Promise<void> | undefined;
  const kill = () => {
    killing ??= killGroup(pid);
  };
  if (stop.aborted) kill();
  stop.addEventListener('abort', kill, { once: true });
  const [code, killedBy] = await new Promise<[number | null, string | null]>((resolve) => {
    nodeChildProcess.once('exit', (...how) => resolve(how));
  });
  const wasStopped = stop.aborted;
  stop.removeEventListener('abort', kill);
  kill();
  await killing;
  const drained = setTimeout(() => [stdout, stderr].forEach((stream) => stream.destroy()), DRAIN_MS);
  await closed;
  clearTimeout(drained);
  if (wasStopped && limit.aborted) return end(null, `was ended after ${limitMs / 60_000} min`);
  return end(code, code === null ? `was ended by ${killedBy}` : `ended with ${code}`);
}

function closeOf(stream: NodeJS.ReadableStream): Promise<void> {
  return new Promise((resolve) => {
    stream.once('close', resolve);
  });
}

/** Ends every process of a group: SIGTERM, grace, SIGKILL. */
async function killGroup(pid: number): Promise<void> {
  const deadline = performance.now() + KILL_GRACE_MS;
  let isAlive = send(pid, 'SIGTERM');
  while (isAlive && performance.now() < deadline) {
    await pause(10);
    isAlive = send(pid, 0);
  }
  if (isAlive) send(pid, 'SIGKILL');
}

/** Whether somebody was there to get it. */
function send(pid: number, what: 'SIGTERM' | 'SIGKILL' | 0): boolean {
  try {
    return process.kill(-pid, what);
  } catch {
    return false;
  }
}
