import { ConfigMemory } from '../workflow/config/config-file.ts';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CliffordError } from '../errors.ts';
import type { Project } from '../workflow/project/project.ts';
import { STATE_DIR } from '../workflow/project/project-root.ts';
import { ProblemReports } from './problem-reports.ts';
import { codeOf } from '../lib/system-error.ts';
import { SignalReader } from './signal-reader.ts';
import { SignalServer } from './signal-server.ts';
import { pause } from '../lib/pause.ts';
import { takeTurn, type ServiceTurn } from './service-lock.ts';

/** Whose files are served, and who is told when that does not work. */
export type SignalsPlace = {
  /** The project's root, absolute. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Shared with others of this process, so that a mistake in a configuration file is reported once. */
  readonly configMemory?: ConfigMemory | undefined;
  /** The open project, for this server to record in. Asked for again after a failure; the server does not close it. */
  readonly project: () => Promise<Project>;
  /** Told what made serving fail, before it is tried again. */
  readonly failed?: (error: unknown) => void;
  /** Takes one line, or an error that is a bug. */
  readonly report: (problem: unknown) => void;
};

/** Longest time that stopping takes, in ms. What is not done by then, the next server does. */
const STOP_MS = 250;

/** Pause after a failure before it is tried again, in ms. */
const AGAIN_MS = 1_000;

/**
 * Shows the project's open questions as files and takes answers and questions from files, for programs
 * that know nothing of the log. One process per project does so at a time; the others wait for their
 * turn, which they get however the one before ends. A failure is reported and tried again.
 */
export function serveSignals(place: SignalsPlace): { readonly stop: () => Promise<void> } {
  const stopping = new AbortController();
  const done = serve(place, stopping.signal).catch(place.report);
  return {
    stop: async () => {
      stopping.abort();
      await Promise.race([done, sleep(STOP_MS, undefined, { ref: false })]);
    },
  };
}

async function serve(place: SignalsPlace, signal: AbortSignal): Promise<void> {
  const problems = new ProblemReports(place.report);
  while (!signal.aborted) {
    try {
      const turn = await takeTurn(join(place.root, STATE_DIR), signal);
      if (!turn) return;
      try {
        await serveDuring(turn, place, { problems, signal });
      } finally {
        turn.release();
      }
    } catch (error) {
      if (signal.aborted) return;
      place.failed?.(error);
      problems.tell('log', whatFailed(error));
      await pause(AGAIN_MS, signal);
    }
  }
}

async function serveDuring(
  turn: ServiceTurn,
  { project: open, env, configMemory = new ConfigMemory() }: SignalsPlace,
  { problems, signal }: { problems: ProblemReports; signal: AbortSignal },
): Promise<void> {
  const project = await open();
  const server = new SignalServer({ project, reader: new SignalReader(), problems }, { env, configMemory });
  await server.run(signal);
  // Whoever is next takes the files over as they are: what a human writes meanwhile still counts.
  if (turn.isLast()) server.withdraw();
}

/** A line for people. A bug keeps its stack. */
function whatFailed(error: unknown): string {
  if (error instanceof CliffordError) return `Cannot serve files for now. ${error.inOneLine}`;
  if (!(error instanceof Error)) return String(error);
  if (codeOf(error) !== undefined) return `Cannot serve files for now: ${error.message}`;
  return error.stack ?? error.message;
}
