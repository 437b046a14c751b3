import { serve } from '../mcp/server/serve.ts';
import { stopBetweenTurns } from './run/stop-between-turns.ts';

/** The signals by which agents, terminals and systems end a server. A second one does not hurry it. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Serves Clifford's tools over the standard streams of this process, and its question files beside them, until the
 * client leaves or a signal comes. Problems go to stderr.
 *
 * @throws {CliffordError} `ROOT_MISSING`.
 */
export async function serveMcp(): Promise<void> {
  stopBetweenTurns();
  const { env, stdin, stdout, stderr } = process;
  // Whoever read it has left, and there is nobody else to tell.
  stderr.on('error', () => undefined);
  const ended = Promise.withResolvers<string>();
  const note = (name: NodeJS.Signals) => ended.resolve(`the server was ended by ${name}`);
  for (const name of SIGNALS) process.on(name, note);
  try {
    await serve({ env, cwd: process.cwd(), stdin, stdout, ended: ended.promise, report: reportToStderr });
  } finally {
    for (const name of SIGNALS) process.off(name, note);
  }
}

function reportToStderr(problem: unknown): void {
  const text = problem instanceof Error ? (problem.stack ?? problem.message) : String(problem);
  process.stderr.write(`clifford mcp: ${text}\n`);
}
