import { StringDecoder } from 'node:string_decoder';
import { setTimeout as pause } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { execa } from 'execa';
import { parseArgsStringToArgv } from 'string-argv';

/** How a command ended. */
export type CommandEnd = {
  /** `null` when a signal or the time limit ended it, or when it could not be started. */
  readonly code: number | null;
  /** In words: `ended with 1`. */
  readonly how: string;
  readonly durationMs: number;
  /** The end of what it printed, without colours. */
  readonly output: string;
};

/** Most of the output that is kept, in UTF-16 units. */
const KEEP = 16_000;

/** Between SIGTERM and SIGKILL, in ms: less than an MCP server has left when its client is gone. */
const KILL_GRACE_MS = 400;

/** How long the output may stay open once the command has ended, in ms: a process that left the group has it. */
const DRAIN_MS = 500;

/**
 * Runs one command line, quotes but no shell, in a process group of its own. Nothing of the group is
 * left when it returns: neither after the time limit, nor when the signal aborts, nor in the background.
 */
export async function runCommand(
  command: string,
  { cwd, signal, limitMs }: { cwd: string; signal: AbortSignal; limitMs: number },
): Promise<CommandEnd> {
  const startedAt = performance.now();
  const end = (code: number | null, how: string, output: string): CommandEnd => ({
    code,
    how,
    durationMs: Math.round(performance.now() - startedAt),
    output: stripVTControlCharacters(output).trim(),
  });
  const [file, ...args] = parseArgsStringToArgv(command);
  if (file === undefined) return end(null, 'is empty', '');
  const subprocess = execa(file, args, {
    cwd,
    detached: true,
    stdin: 'ignore',
    all: true,
    buffer: false,
    encoding: 'buffer',
    reject: false,
  });
  const { pid, all, nodeChildProcess } = subprocess;
  if (pid === undefined) {
    const { originalMessage, shortMessage } = await subprocess;
    return end(null, `could not be started: ${originalMessage ?? shortMessage ?? 'nobody knows why'}`, '');
  }
  const output = collect(all);
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
  kill();
  await killing;
  const drained = setTimeout(() => all.destroy(), DRAIN_MS);
  await output.closed;
  clearTimeout(drained);
  if (wasStopped && limit.aborted) return end(null, `was ended after ${limitMs / 60_000} min`, output.text());
  return end(code, code === null ? `was ended by ${killedBy}` : `ended with ${code}`, output.text());
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

/** The end of what a stream brings, and its end. */
function collect(stream: NodeJS.ReadableStream): { closed: Promise<void>; text: () => string } {
  const decoder = new StringDecoder('utf8');
  let text = '';
  stream.on('data', (chunk: Buffer) => {
    text = (text + decoder.write(chunk)).slice(-KEEP);
  });
  const closed = new Promise<void>((resolve) => {
    stream.once('close', resolve);
  });
  return { closed, text: () => text };
}
