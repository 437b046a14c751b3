import { existsSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { execa } from 'execa';
import { whyNoExecutable } from './find-executable.ts';
import { DEFAULT_PATH, withMark } from './inherited-mark.ts';

export type OutputChannel = 'stdout' | 'stderr';

/** A program to be started, and what becomes of its output. */
export type GroupOrder = {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** All of its environment; what is `undefined` is not in it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Written to stdin, which is then closed. `undefined`: stdin is empty. */
  readonly input?: string | undefined;
  /** Instead of an empty stdin one that stays open. */
  readonly keepsStdin?: boolean | undefined;
  /** `undefined`: its stdout is read from {@link StartedGroup.stdout}, and its stderr is that of this process. */
  readonly onOutput?: ((channel: OutputChannel, chunk: Buffer) => void) | undefined;
};

/** How a program ended. One of `code` and `signal` is set. */
export type ProgramExit = {
  readonly code: number | null;
  readonly signal: string | null;
  readonly durationMs: number;
};

/** A program under way, the leader of its process group. */
export type StartedGroup = {
  readonly pid: number;
  /** Its stdin, if it stays open. */
  readonly stdin: Writable | undefined;
  readonly stdout: Readable;
  /** Resolves when the program has exited, whatever it leaves in the group. */
  readonly exited: Promise<ProgramExit>;
  /** Reads the output to its end: for so long, in ms, as a process that left the group may hold it open. */
  readonly drain: (waitMs: number) => Promise<void>;
};

/**
 * Starts a program without a shell, in a process group of its own, with the mark of all that Clifford starts. Ending the
 * group is up to the caller. When the system cannot start it, says why instead.
 */
export async function startGroup(order: GroupOrder): Promise<StartedGroup | { readonly problem: string }> {
  const { cwd, env, input, keepsStdin = false, onOutput } = order;
  if (!existsSync(cwd)) return { problem: `there is no folder ${cwd}` };
  const startedAt = performance.now();
  const command = withMark(order, { cwd, path: env['PATH'] });
  if (command === undefined)
    return { problem: whyMissing(order) ?? `the interpreter that ${order.file} names is not there` };
  const subprocess = execa(command.file, command.args, {
    cwd,
    env: { ...env },
    extendEnv: false,
    detached: true,
    buffer: false,
    encoding: 'buffer',
    reject: false,
    stdout: 'pipe',
    stderr: onOutput ? 'pipe' : 'inherit',
    ...(input === undefined ? { stdin: keepsStdin ? ('pipe' as const) : ('ignore' as const) } : { input }),
  });
  const { pid, stdin, stdout, stderr, nodeChildProcess } = subprocess;
  if (pid === undefined) {
    const { originalMessage, shortMessage } = await subprocess;
    return { problem: whyMissing(order) ?? originalMessage ?? shortMessage ?? 'the system did not say why' };
  }
  if (onOutput) stdout.on('data', (chunk: Buffer) => onOutput('stdout', chunk));
  if (onOutput) stderr?.on('data', (chunk: Buffer) => onOutput('stderr', chunk));
  const read = stderr ? [stdout, stderr] : [stdout];
  const closed = Promise.all(read.map(closeOf));
  return {
    pid,
    stdin: keepsStdin && input === undefined ? (stdin ?? undefined) : undefined,
    stdout,
    exited: new Promise((resolve) => {
      nodeChildProcess.once('exit', (code, signal) =>
        resolve({ code, signal, durationMs: Math.round(performance.now() - startedAt) }),
      );
    }),
    async drain(waitMs) {
      const timer = setTimeout(() => read.forEach((stream) => stream.destroy()), waitMs);
      await closed;
      clearTimeout(timer);
    },
  };
}

function whyMissing({ file, cwd, env }: GroupOrder): string | undefined {
  return whyNoExecutable(file, { cwd, path: env['PATH'] ?? DEFAULT_PATH });
}

function closeOf(stream: Readable): Promise<void> {
  return new Promise((resolve) => {
    stream.once('close', resolve);
  });
}
