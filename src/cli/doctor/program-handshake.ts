import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { terminate } from '../../lib/processes/terminate.ts';

/** How a program is started to be spoken to. */
export type Start = {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Written to its stdin, which stays open. `undefined`: its stdin is empty. */
  readonly input?: string | undefined;
  /** Called with each line of its stdout. */
  readonly onLine?: (line: string) => void;
};

/** A program that is being spoken to. */
export type StartedProgram = {
  /** Why it has ended, in words, when it has. */
  readonly ended: Promise<string>;
  /** Ends it and all it has started. */
  readonly end: () => Promise<void>;
};

/** Lines of what it said that are kept to explain why it ended. */
const KEPT_LINES = 20;

/** Between SIGTERM and SIGKILL, in ms. */
const GRACE_MS = 1_000;

/** Starts a program in a process group of its own, without a shell. */
export function startForHandshake({ file, args, cwd, env, input, onLine }: Start): StartedProgram {
  const child = spawn(file, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  const said: string[] = [];
  const keep = (line: string) => {
    if (line.trim() !== '') said.push(line);
    if (said.length > KEPT_LINES) said.shift();
  };
  createInterface({ input: child.stdout }).on('line', (line) => {
    keep(line);
    onLine?.(line);
  });
  createInterface({ input: child.stderr }).on('line', keep);
  // It may end before it has read anything.
  child.stdin.on('error', () => undefined);
  if (input === undefined) child.stdin.end();
  else child.stdin.write(input);
  const ended = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(`it could not be started: ${error.message}`));
    child.on('close', (code, signal) => {
      const how = code === null ? `it was ended by ${signal}` : `it ended with ${code}`;
      resolve(said.length === 0 ? how : `${how}: ${said.slice(-2).join(' ')}`);
    });
  });
  return {
    ended,
    async end() {
      child.stdin.end();
      if (child.pid !== undefined) await terminate([-child.pid], { graceMs: GRACE_MS });
    },
  };
}
