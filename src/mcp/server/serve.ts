import { ConfigMemory } from '../../workflow/config/config-file.ts';
import type { SessionPlace } from '../../gateway/session/session-place.ts';
import { flushCompileCache } from 'node:module';
import type { Readable, Writable } from 'node:stream';
import { findProjectRoot } from '../../workflow/project/project-root.ts';
import { AgentSession } from './agent-session.ts';
import { createSession } from '../../gateway/session/session.ts';
import { ProjectHandle } from './project-handle.ts';
import { StdioTransport } from '../transport/stdio-transport.ts';
import { within } from '../../lib/processes/settled-within.ts';

/** Where the project is looked for, which streams are spoken over, who ends it, and who is told of problems. */
export type ServeOptions = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdin: Readable;
  readonly stdout: Writable;
  /** Resolves when the server has to end although its client has not left, with why. */
  readonly ended: Promise<string>;
  /** Takes one line, or an error that is a bug. */
  readonly report: (problem: unknown) => void;
};

/** What serves question files beside the agent. */
type Files = { readonly stop: () => Promise<void> };

/** How long a client that closed its end may still wait for responses under way, in ms. */
const LAST_WORDS_MS = 200;
/** A client that is greeted asks for the tools, and may call one at once: that goes first, in ms. */
const FILES_AFTER_MS = 250;
/** Longest time for ending what serves the question files, in ms. */
const FILES_STOP_MS = 300;
/** Longest time for closing the log, in ms. */
const CLOSE_MS = 150;

/**
 * Serves Clifford's tools over two streams, and the project's question files beside them, until the client
 * leaves (EOF, broken pipe) or `ended` resolves, and then within a second; an open question stays open. The
 * caller should end the process: a log that another process has locked may keep it alive for a while.
 *
 * stdout carries JSON-RPC only.
 *
 * @throws {CliffordError} `ROOT_MISSING`.
 */
export async function serve({ env, cwd, stdin, stdout, ended, report }: ServeOptions): Promise<void> {
  const place = { root: findProjectRoot({ env, cwd }), env, report, configMemory: new ConfigMemory() };
  const project = new ProjectHandle(place);
  const left = Promise.withResolvers<void>();
  let starting: NodeJS.Timeout | undefined;
  let files: Promise<Files | undefined> | undefined;
  let stopped: Promise<boolean> | undefined;
  const session = new AgentSession({
    project,
    session: createSession(place),
    transport: new StdioTransport({ stdin, stdout, onLeft: left.resolve }),
    // A process ended by force never writes its compile cache: the next start would be slow again.
    onGreeted: () => {
      setImmediate(() => flushCompileCache());
      // A client that has left already needs none.
      if (stopped !== undefined) return;
      starting ??= setTimeout(() => {
        files = serveFiles(place, project);
        void files.then(() => flushCompileCache());
      }, FILES_AFTER_MS);
    },
  });
  const stopFiles = () => {
    clearTimeout(starting);
    stopped ??= within(FILES_STOP_MS, files ? [files.then((each) => each?.stop())] : []);
    return stopped;
  };
  await session.start();
  const why = await Promise.race([
    left.promise
      // What happens to the calls that wait is recorded without competition.
      .then(() => {
        void stopFiles();
        return within(LAST_WORDS_MS, [session.settled()]);
      })
      .then(() => 'the client has left'),
    session.closed.then(() => 'the client has left'),
    ended,
  ]);
  await Promise.all([session.end(why), stopFiles()]);
  await within(CLOSE_MS, [project.close()]);
}

/** Without it the tools work all the same. */
async function serveFiles(place: SessionPlace, project: ProjectHandle): Promise<Files | undefined> {
  try {
    // Imported late: not needed to answer `initialize`.
    const { serveSignals } = await import('../../signals/serve-signals.ts');
    return serveSignals({ ...place, ...project.forSignals() });
  } catch (error) {
    place.report(error);
    return undefined;
  }
}
