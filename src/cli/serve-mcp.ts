import { visible } from '../lib/text/visible.ts';
import { serve } from '../mcp/server/serve.ts';
import { onInterrupt } from './run/on-interrupt.ts';
import { stopBetweenTurns } from './run/stop-between-turns.ts';

/**
 * Serves Clifford's tools over the standard streams of this process, and its question files beside them, until the
 * client leaves or a signal comes. Problems go to stderr.
 */
export async function serveMcp(): Promise<void> {
  stopBetweenTurns();
  const { env, stdin, stdout, stderr } = process;
  // Whoever read it has left, and there is nobody else to tell.
  stderr.on('error', () => undefined);
  const ended = Promise.withResolvers<string>();
  const release = onInterrupt((signal) => ended.resolve(`the server was ended by ${signal}`));
  try {
    await serve({ env, cwd: process.cwd(), stdin, stdout, ended: ended.promise, report: reportToStderr });
  } finally {
    release();
  }
}

function reportToStderr(problem: unknown): void {
  const text = problem instanceof Error ? (problem.stack ?? problem.message) : String(problem);
  // Agents show it as it is, and it may quote what a client or a project says.
  process.stderr.write(`clifford mcp: ${visible(text)}\n`);
}
