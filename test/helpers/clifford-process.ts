import { spawn } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { onTestFinished, vi } from 'vitest';
import type { CliPlace } from '../../src/cli/cli.ts';
import type { main as runMain } from '../../src/cli/main.ts';
import { collectOutput } from './ended-process.ts';
import type { Ended } from './ended-process.ts';

/** The built program. `npm test` builds it first. */
export const cliFile = join(import.meta.dirname, '../../dist/cli.js');

/** What it runs once it knows that Node can. */
const programFile = join(import.meta.dirname, '../../dist/main.js');

export type CliffordOptions = {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Nothing of the environment of the tests besides. */
  readonly isWholeEnv?: true;
  /** What it reads from stdin. Without it, stdin is empty. */
  readonly input?: string;
  /** For Node, before the program. */
  readonly nodeArgs?: readonly string[];
  /** A program and its arguments that becomes Node. */
  readonly by?: readonly string[];
};

/** A `clifford` under way. */
export type CliffordUnderWay = {
  readonly ended: Promise<Ended>;
  /** Waits until stdout has shown this, and returns the match. Rejects when the program ends without it. */
  readonly printed: (what: RegExp) => Promise<RegExpExecArray>;
  /** The same of stderr. */
  readonly warned: (what: RegExp) => Promise<RegExpExecArray>;
};

/** A `clifford` under way as a process of its own. It is ended when the test is finished. */
export type CliffordProcess = CliffordUnderWay & {
  readonly pid: number;
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly isAlive: () => boolean;
  /** Goes away as the reader of its stdout, like `head -1`. */
  readonly closeOutput: () => void;
};

/** The environment of a person called Ada, at no terminal, in UTC. */
export function adasEnvironment(
  more: Readonly<Record<string, string>> = {},
): Record<string, string | undefined> {
  const {
    FORCE_COLOR: _colour,
    CLIFFORD_PROJECT_ROOT: _root,
    CLIFFORD_AGENT_CMD: _agent,
    CLIFFORD_RUN_ID: _run,
    CURRENT_SPRINT_DIR: _sprint,
    ...env
  } = process.env;
  return { ...env, CI: '1', USER: 'ada', TZ: 'UTC', ...more };
}

/** Starts `clifford` as a process of its own, without a terminal. */
export function startClifford(
  args: readonly string[],
  { cwd, env, isWholeEnv, input, nodeArgs = [], by = [] }: CliffordOptions,
): CliffordProcess {
  const [program = process.execPath, ...line] = [...by, process.execPath, ...nodeArgs, cliFile, ...args];
  const child = spawn(program, line, {
    cwd,
    env: isWholeEnv ? env : adasEnvironment(env),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const { printedYet, warnedYet, ended } = collectOutput(child, input);
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await ended;
  });
  const told = { args, ended };
  return {
    pid: child.pid ?? 0,
    ended,
    kill: (signal) => child.kill(signal),
    isAlive: () => child.exitCode === null && child.signalCode === null,
    closeOutput: () => child.stdout.destroy(),
    printed: (what) => shown(what, child.stdout, printedYet, told),
    warned: (what) => shown(what, child.stderr, warnedYet, told),
  };
}

/** Waits until a channel of a program has shown this. Rejects when the program ends without it. */
function shown(
  what: RegExp,
  channel: Readable,
  textYet: () => string,
  { args, ended }: { readonly args: readonly string[]; readonly ended: Promise<Ended> },
): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const match = what.exec(textYet());
      if (match) resolve(match);
    };
    channel.on('data', look);
    look();
    const fail = ({ out, err }: Ended) =>
      reject(new Error(`clifford ${args.join(' ')} ended without ${what}:\n${out}${err}`));
    ended.then(fail, reject);
  });
}

/** Node's arguments to run the text of a module before the program. */
export function preload(text: string): readonly string[] {
  return ['--import', `data:text/javascript,${encodeURIComponent(text)}`];
}

/**
 * Runs `clifford` to its end: in the process of the tests, which is twenty times as fast, unless the command ends with
 * its process or Node gets arguments. Where the process matters to the test, call {@link startClifford}.
 */
export function clifford(args: readonly string[], options: CliffordOptions): Promise<Ended> {
  const endsWithIt = args[0] === 'mcp' && args[1] === 'serve';
  const isOwn = endsWithIt || options.nodeArgs;
  return (isOwn ? startClifford(args, options) : followClifford(args, options)).ended;
}

/**
 * Starts the built program as a process would, in this one. The test has to wait for its end: what ends by a signal only
 * is for {@link startClifford}.
 */
export function followClifford(
  args: readonly string[],
  { input, ...options }: CliffordOptions,
): CliffordUnderWay {
  const stdin = new PassThrough();
  stdin.end(input);
  const { stdout, stderr, ended } = runHere(args, { ...options, stdin });
  const [out, err] = [collected(stdout), collected(stderr)];
  const told = { args, ended: ended.then((end) => ({ ...end, out: out() })) };
  return {
    ended: told.ended,
    printed: (what) => shown(what, stdout, out, told),
    warned: (what) => shown(what, stderr, err, told),
  };
}

/** Runs the built program with these streams, in this process. Somebody has to read `stdout` for it to end. */
export function runHere(
  args: readonly string[],
  { cwd, env, isWholeEnv, stdin }: Omit<CliffordOptions, 'input'> & { readonly stdin: Readable },
): { readonly stdout: Readable; readonly stderr: Readable; readonly ended: Promise<Omit<Ended, 'out'>> } {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const err = collected(stderr);
  // The agent is looked for in the environment of the process.
  vi.stubEnv('CLIFFORD_AGENT_CMD', env?.['CLIFFORD_AGENT_CMD'] ?? '');
  const run = async () => {
    const main = await loadProgram();
    const folder = await realpath(cwd);
    const place = { stdin, stdout, stderr, env: isWholeEnv ? env : adasEnvironment(env), cwd: () => folder };
    // A command knows nothing else of these than that they are streams without a terminal.
    const code = await main(args, place as unknown as CliPlace);
    stdout.end();
    stderr.end();
    await Promise.all([finished(stdout), finished(stderr)]);
    return { code, signal: null, err: err() };
  };
  return { stdout, stderr, ended: run() };
}

/** The built program, to be run in this process. */
export async function loadProgram(): Promise<typeof runMain> {
  const { main } = (await import(programFile)) as { readonly main: typeof runMain };
  return main;
}

/** What has come through a stream so far. */
function collected(stream: Readable): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  return () => text;
}
