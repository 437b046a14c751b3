import type { Cli } from '../cli.ts';

/** Can a full-screen program be drawn here, and does someone sit in front of it? */
export function isInteractive({ env, stdin, stdout }: Pick<Cli, 'env' | 'stdin' | 'stdout'>): boolean {
  return isTerminal({ env, stdin, stdout }) && env['TERM'] !== 'dumb';
}

/** Does someone sit in front of it, whatever can be drawn there? */
export function isTerminal({ env, stdin, stdout }: Pick<Cli, 'env' | 'stdin' | 'stdout'>): boolean {
  return stdin.isTTY === true && stdout.isTTY === true && !isCi(env);
}

/** Is this a job of a build server, where nobody looks at the terminal that it may have? */
export function isCi({ CI }: Cli['env']): boolean {
  return CI !== undefined && !['', '0', 'false'].includes(CI);
}
