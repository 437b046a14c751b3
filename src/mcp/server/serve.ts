import { flushCompileCache } from 'node:module';
import { showHidden } from '../../lib/text/hidden-characters.ts';
import { findProjectRoot } from '../../workflow/project/project-root.ts';
import { AgentSession } from './agent-session.ts';
import type { Companion, StartCompanion } from './companion.ts';
import { createSession } from '../../gateway/call/session.ts';
import { ProjectHandle } from './project-handle.ts';
import { StdioTransport } from '../transport/stdio-transport.ts';
import { within } from '../../lib/processes/settled-within.ts';

/** Which streams to speak over, and where the project is looked for. Default: those of the process. */
export type ServeOptions = {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** Starts what is to live beside the server, once the client has introduced itself. */
  readonly companion?: StartCompanion;
};

/** How long a client that closed its end may still wait for responses under way, in ms. */
const LAST_WORDS_MS = 200;
/** A client that is greeted asks for the tools, and may call one at once: that goes first, in ms. */
const COMPANION_AFTER_MS = 250;
/** Longest time for ending what lives beside the server, in ms. */
const COMPANION_MS = 300;
/** Longest time for closing the log, in ms. */
const CLOSE_MS = 150;

/**
 * Serves Clifford's tools over the standard streams until the client leaves (EOF, broken pipe) or a
 * signal ends it, and then within a second; an open question stays open. The caller should end the
 * process: a log that another process has locked may keep it alive for a while.
 *
 * stdout carries JSON-RPC only. Problems go to stderr.
 *
 * @throws {CliffordError} `ROOT_MISSING`.
 */
export async function serve({
  env = process.env,
  cwd = process.cwd(),
  companion: start,
}: ServeOptions = {}): Promise<void> {
  // Whoever read it has left, and there is nobody else to tell.
  process.stderr.on('error', () => undefined);
  const place = { root: findProjectRoot({ env, cwd }), env };
  const project = new ProjectHandle(place);
  const left = Promise.withResolvers<void>();
  let starting: NodeJS.Timeout | undefined;
  let companion: Promise<Companion | undefined> | undefined;
  let stopped: Promise<boolean> | undefined;
  const session = new AgentSession({
    project,
    session: createSession({ ...place, report: reportToStderr }),
    transport: new StdioTransport({ stdin: process.stdin, stdout: process.stdout, onLeft: left.resolve }),
    // A process ended by force never writes its compile cache: the next start would be slow again.
    onGreeted: () => {
      setImmediate(() => flushCompileCache());
      // A client that has left already needs none.
      if (stopped !== undefined) return;
      starting ??= setTimeout(() => {
        companion = startCompanion(start, place);
        void companion.then(() => flushCompileCache());
      }, COMPANION_AFTER_MS);
    },
  });
  const stopCompanion = () => {
    clearTimeout(starting);
    stopped ??= within(COMPANION_MS, companion ? [companion.then((each) => each?.stop())] : []);
    return stopped;
  };
  const signals = untilSignal();
  await session.start();
  const why = await Promise.race([
    left.promise
      // What happens to the calls that wait is recorded without competition.
      .then(() => {
        void stopCompanion();
        return within(LAST_WORDS_MS, [session.settled()]);
      })
      .then(() => 'the client has left'),
    session.closed.then(() => 'the client has left'),
    signals.received,
  ]);
  await Promise.all([session.end(why), stopCompanion()]);
  await within(CLOSE_MS, [project.close()]);
  signals.stop();
}

/** Without it the tools work all the same. */
async function startCompanion(
  start: StartCompanion | undefined,
  place: { root: string; env: NonNullable<ServeOptions['env']> },
): Promise<Companion | undefined> {
  try {
    return await start?.({ ...place, report: reportToStderr });
  } catch (error) {
    reportToStderr(error);
    return undefined;
  }
}

/** The signals by which agents, terminals and systems end a server. A second one does not hurry it. */
function untilSignal(): { received: Promise<string>; stop: () => void } {
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const { promise, resolve } = Promise.withResolvers<string>();
  const note = (name: NodeJS.Signals) => resolve(`the server was ended by ${name}`);
  for (const name of names) process.on(name, note);
  return {
    received: promise,
    stop: () => {
      for (const name of names) process.off(name, note);
    },
  };
}

function reportToStderr(problem: unknown): void {
  const text = problem instanceof Error ? (problem.stack ?? problem.message) : String(problem);
  process.stderr.write(`clifford mcp: ${showHidden(text)}\n`);
}
