import type { Cli } from '../cli.ts';

/** Can a full-screen program be drawn here, and does someone sit in front of it? */
export function isInteractive({ env, stdin, stdout }: Pick<Cli, 'env' | 'stdin' | 'stdout'>): boolean {
  const isCi = env['CI'] !== undefined && !['', '0', 'false'].includes(env['CI']);
  return stdin.isTTY === true && stdout.isTTY === true && !isCi && env['TERM'] !== 'dumb';
}
