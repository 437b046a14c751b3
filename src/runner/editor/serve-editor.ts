import type { Readable, Writable } from 'node:stream';
import { CliffordError } from '../../errors.ts';
import { findExecutable } from '../../lib/processes/find-executable.ts';
import { Watchdog } from '../../lib/processes/group-guard.ts';
import { within } from '../../lib/processes/settled-within.ts';
import type { ProgramExit } from '../../lib/processes/start-group.ts';
import { findProjectRoot } from '../../workflow/project/project-root.ts';
import { newEditorsMark } from '../../workflow/project/who-calls.ts';
import { RUN_ID_VARIABLE } from '../../workflow/project/run-id-variable.ts';
import { startAgent, type AgentProcess } from '../attempt/agent-process.ts';
import { findMarkedHere } from '../attempt/orphans.ts';
import { EditorProxy } from './editor-proxy.ts';
import { relayLines, type RelayEnd } from './relay-lines.ts';

/** What stands in front of which agent, for whom. */
export type EditorOptions = {
  /** The agent's program and its arguments. */
  readonly command: readonly [string, ...string[]];
  /** How rules and the log call the agent. */
  readonly name: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  readonly cwd: string;
  /** Who sits at the editor, as the log names them. */
  readonly by: string;
  readonly stdin: Readable;
  readonly stdout: Writable;
  /** Resolves when it has to end although neither has left. */
  readonly ended: Promise<unknown>;
  /** Takes an error, or one line. */
  readonly report: (problem: unknown) => void;
};

/** Why it is over: the editor has left, somebody has ended it, or the agent has left by itself. */
export type EditorEnd = { readonly because: 'left' | 'ended' } | { readonly exit: ProgramExit };

/** Longest message that is passed on, in bytes. */
const MAX_MESSAGE_BYTES = 256 * 1024 * 1024;

/** How long an agent whose stdin was closed may take to exit, in ms. */
const LEAVE_MS = 2_000;
/** Between SIGTERM and SIGKILL, in ms. */
const KILL_GRACE_MS = 2_000;
/** Longest time for what the agent has said last, and for recording how its calls ended, in ms. */
const LAST_WORDS_MS = 1_000;

/**
 * Starts an agent that speaks the Agent Client Protocol and stands between it and an editor, until one of them leaves.
 * Nothing of the agent's process group is left then.
 *
 * stdout carries the protocol only.
 *
 * @throws {CliffordError} `AGENT_NOT_FOUND`, `ROOT_MISSING`; `AGENT_SURVIVES`.
 */
export async function serveEditor(options: EditorOptions): Promise<EditorEnd> {
  const { env, cwd, report } = options;
  const root = findProjectRoot({ env, cwd });
  const mark = newEditorsMark();
  const agent = await startOrThrow({ ...options, env: await envForAgent(root, env) }, mark);
  const { pid } = agent.identity;
  const watchdog = new Watchdog(report);
  watchdog.add(pid);
  try {
    return await relay(options, agent, mark);
  } finally {
    watchdog.remove(pid);
  }
}

/** Most agents need none of it, and start sooner. */
async function envForAgent(root: string, env: EditorOptions['env']): Promise<EditorOptions['env']> {
  if (env['CLIFFORD_TRUST_PROJECT'] !== '1') return env;
  const { HeldPolicy } = await import('../../gateway/permission/held-policy.ts');
  const policy = new HeldPolicy({ root, env });
  await policy.begin();
  return policy.forAgents(env);
}

async function startOrThrow(
  { command: [name, ...args], env, cwd }: EditorOptions,
  mark: string,
): Promise<AgentProcess> {
  const file = findExecutable(name, { cwd, path: env['PATH'] });
  if (file === undefined)
    throw unstartable(name, name.includes('/') ? 'there is no such program' : 'it is not on the PATH');
  const started = await startAgent({
    file,
    args,
    cwd,
    env: { ...env, [RUN_ID_VARIABLE]: mark },
    keepsStdin: true,
    findEscaped: () => findMarkedHere(RUN_ID_VARIABLE, mark),
    killGraceMs: KILL_GRACE_MS,
  });
  if ('problem' in started) throw unstartable(name, started.problem);
  return started;
}

/** What ends it: one of the two says no more, the agent takes no more or has exited, or somebody ends it. */
type Cause = 'editor left' | 'agent left' | 'ended' | 'too long';

/** Until one of the two leaves. */
async function relay(options: EditorOptions, agent: AgentProcess, mark: string): Promise<EditorEnd> {
  const { name, stdin, stdout, report } = options;
  const toAgent = agent.stdin;
  if (!toAgent) throw new Error('the agent was started without a stdin');
  const identity = { id: mark, client: name };
  const proxy = new EditorProxy({ ...options, agent: identity, toAgent, toEditor: stdout });
  const maxBytes = MAX_MESSAGE_BYTES;
  const fromAgent = relayLines({
    from: agent.stdout,
    to: stdout,
    onLine: proxy.fromAgent,
    pace: proxy.pace,
    maxBytes,
  });
  const fromEditor = relayLines({ from: stdin, to: toAgent, onLine: proxy.fromEditor, maxBytes });
  const cause = await Promise.race<Cause>([
    fromEditor.then(causeIf({ ended: 'editor left', refused: 'agent left' }), () => 'editor left'),
    fromAgent.then(causeIf({ ended: 'agent left', refused: 'editor left' }), () => 'agent left'),
    agent.exited.then(() => 'agent left'),
    new Promise((resolve) => stdout.once('error', () => resolve('editor left'))),
    options.ended.then(() => 'ended'),
  ]);
  if (cause === 'too long')
    report(`a message is longer than ${MAX_MESSAGE_BYTES / 1024 / 1024} MiB: that is the end`);
  agent.hangUp();
  if (cause !== 'ended') await within(LEAVE_MS, [agent.exited]);
  agent.stop();
  const exit = await agent.ended;
  // What it has said last is read by now, and on its way unless the editor does not take it.
  await within(LAST_WORDS_MS, [fromAgent]);
  stdin.destroy();
  await within(LAST_WORDS_MS, [proxy.close()]);
  return cause === 'agent left' ? { exit } : { because: cause === 'ended' ? 'ended' : 'left' };
}

function causeIf(causes: { readonly ended: Cause; readonly refused: Cause }): (end: RelayEnd) => Cause {
  return (end) => (end === 'too long' ? end : causes[end]);
}

function unstartable(name: string, why: string): CliffordError {
  return new CliffordError(`Cannot start agent ${name}: ${why}`, {
    code: 'AGENT_NOT_FOUND',
    fix: 'Write behind -- what starts an agent that speaks the Agent Client Protocol, e.g. clifford acp -- my-agent --acp',
    recovery: 'fix-input',
  });
}
