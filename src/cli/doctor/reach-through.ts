import { setTimeout as pause } from 'node:timers/promises';
import type { KnownAgent, LaunchOrder } from '../../runner/agents/agent-adapter.ts';
import { LOG_VARIABLE } from '../../workflow/log/log-variable.ts';
import { mcpServerCommand } from '../../runner/plan/mcp-server-command.ts';
import { RunFiles } from '../../runner/attempt/run-files.ts';
import { duration } from '../../lib/time/duration.ts';
import { createConnectionProject } from './connection-project.ts';
import { startForHandshake } from './program-handshake.ts';

/** What came of an agent CLI that was started as for a run, but without a model. */
export type Reached = {
  /** How long it took to reach Clifford's server, in ms. `undefined`: it did not, or cannot be tried. */
  readonly tookMs?: number;
  /** Why it did not. Neither this nor `tookMs`: it cannot be tried without a model. */
  readonly problem?: string;
  /** How long a call may wait, in ms. */
  readonly callLimitMs: number | undefined;
  readonly isLoggedIn?: boolean | undefined;
};

/** How long an agent CLI may take to start, in ms: some are 200 MB, and several start at once. */
const LIMIT_MS = 60_000;

/** How long it may go on to say whether its user is logged in, once it has reached the server, in ms. */
const LOGIN_MS = 3_000;

/** How long it may take until the log says what an agent CLI did that has ended, in ms. */
const LAST_WORD_MS = 1_000;

/** An agent CLI, and how it is started. */
export type Visit = {
  readonly agent: KnownAgent;
  /** The executable. */
  readonly file: string;
  readonly order: Omit<LaunchOrder, 'prompt' | 'sessionId' | 'mcp'>;
  /** Variables that the configuration gives it. */
  readonly env: Readonly<Record<string, string>>;
  /** Ends it at once. */
  readonly signal: AbortSignal;
};

/**
 * Starts an agent CLI with what the adapter gives it for a run, so that it starts Clifford's MCP server, and
 * waits until that has recorded it. No model is asked. Of the project nothing is written but `order.runDir`,
 * which is removed.
 */
export async function reachThrough({ agent, file, order, env, signal }: Visit): Promise<Reached> {
  const start = agent.modelFree;
  const connectionProject = await createConnectionProject(order.env);
  const files = new RunFiles(order.runDir);
  try {
    const mcp = mcpServerCommand({ CLIFFORD_PROJECT_ROOT: connectionProject.root, [LOG_VARIABLE]: '' });
    const launch = agent.launch({
      ...order,
      env: { ...order.env, ...env },
      prompt: '',
      sessionId: undefined,
      mcp,
    });
    const limit = { callLimitMs: agent.callLimitMs };
    if (!start) return limit;
    files.write(launch);
    const login = Promise.withResolvers<boolean>();
    const startedAt = performance.now();
    const program = await startForHandshake({
      file,
      args: start.args(launch),
      cwd: order.projectRoot,
      env: { ...order.env, ...mcp.env, ...env, ...launch.env, ...start.env },
      input: start.input?.(order.projectRoot),
      onLine: (line) => {
        const isIn = start.isLoggedIn?.(line);
        if (isIn !== undefined) login.resolve(isIn);
      },
    });
    const over = new AbortController();
    const gone = AbortSignal.any([over.signal, signal]);
    const after = (ms: number) => pause(ms, undefined, { signal: gone }).catch(() => undefined);
    const connected = connectionProject.connected.then(() => undefined);
    const stuck = [
      // Some end at once; what they did may be on its way still.
      program.ended.then((how) => Promise.race([connected, after(LAST_WORD_MS)]).then(() => how)),
      after(LIMIT_MS).then(() => `it took longer than ${duration(LIMIT_MS)}`),
      ...(start.needsLogin ? [refusal(login.promise)] : []),
    ];
    try {
      const problem = await Promise.race([connected, ...stuck]);
      const tookMs = Math.round(performance.now() - startedAt);
      const isLoggedIn =
        start.isLoggedIn && (await Promise.race([login.promise, program.ended, after(LOGIN_MS)]));
      const isIn = typeof isLoggedIn === 'boolean' ? isLoggedIn : undefined;
      return { ...limit, isLoggedIn: isIn, ...(problem === undefined ? { tookMs } : { problem }) };
    } finally {
      over.abort();
      await program.end();
    }
  } finally {
    files.remove();
    await connectionProject.end();
  }
}

/** Says so when nobody is logged in, and nothing otherwise. */
async function refusal(isLoggedIn: Promise<boolean>): Promise<string> {
  if (await isLoggedIn) return new Promise(() => undefined);
  return 'it starts nothing before its user is logged in';
}
