import type { ChildProcessWithoutNullStreams } from 'node:child_process';

/** How a program ended, and what it printed. */
export type Ended = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
};

/** Gives a program its stdin, and collects what it prints until it ends. */
export function collectOutput(
  child: ChildProcessWithoutNullStreams,
  input: string | undefined,
): { readonly printedYet: () => string; readonly warnedYet: () => string; readonly ended: Promise<Ended> } {
  // It may end before it has read anything.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, out, err }));
  });
  return { printedYet: () => out, warnedYet: () => err, ended };
}
