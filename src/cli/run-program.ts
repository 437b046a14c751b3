import { execFile } from 'node:child_process';

/** How a program ended, and what it printed. */
export type ProgramEnd = {
  /** `undefined`: it could not be started, or a signal or the time limit ended it. */
  readonly code: number | undefined;
  readonly out: string;
  readonly err: string;
};

/** Runs a program without a shell and with an empty stdin, for as long as the limit lets it. Never throws. */
export function runProgram(
  file: string,
  args: readonly string[],
  { cwd, env, limitMs }: { cwd: string; env: NodeJS.ProcessEnv; limitMs: number },
): Promise<ProgramEnd> {
  return new Promise((resolve) => {
    const options = { cwd, env, timeout: limitMs, killSignal: 'SIGKILL' } as const;
    const child = execFile(file, args, options, (error, out, err) => {
      const code = error === null ? 0 : error.code;
      resolve({ code: typeof code === 'number' ? code : undefined, out, err });
    });
    child.stdin?.end();
  });
}
