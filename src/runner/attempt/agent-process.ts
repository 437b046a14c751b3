import type { Readable, Writable } from 'node:stream';
import {
  type GroupOrder,
  type ProgramExit,
  type StartedGroup,
  startGroup,
} from '../../lib/processes/start-group.ts';
import { identify, type ProcessIdentity } from '../../lib/processes/process-identity.ts';
import { allGone, terminate, terminateDescendants, type KillTarget } from '../../lib/processes/terminate.ts';

/** An agent to be started. With `keepsStdin` it can be typed into, see {@link AgentProcess.type}. */
export type AgentStart = GroupOrder & {
  /** What it started that is not in its group, as far as that can be known. Asked when the group is gone. */
  readonly findEscaped: () => readonly KillTarget[];
  /** Between SIGTERM and SIGKILL, in ms. */
  readonly killGraceMs: number;
};

/**
 * How long what an agent started may outlive it before it is ended, in ms: its MCP servers take leave.
 *
 * @internal for tests
 */
export const LINGER_MS = 2_000;

/** How long its output may stay open once its group is gone, held by a process that left the group, in ms. */
const DRAIN_MS = 1_000;

/** One agent, in a process group of its own: what it starts ends with it. */
export class AgentProcess {
  readonly identity: ProcessIdentity;
  /**
   * Resolves when the agent has exited, nothing of its group lives and its output was read to the end.
   * Rejects with `AGENT_SURVIVES` when that cannot be brought about.
   */
  readonly ended: Promise<ProgramExit>;
  /** Resolves when the agent has exited, whatever it leaves behind. */
  readonly exited: Promise<unknown>;
  readonly #group: StartedGroup;
  readonly #terms: Pick<AgentStart, 'findEscaped' | 'killGraceMs'>;
  readonly #fail: (error: unknown) => void;
  #ladder: Promise<void> | undefined;
  #isKilled = false;

  /** Use {@link startAgent}. */
  constructor(group: StartedGroup, terms: Pick<AgentStart, 'findEscaped' | 'killGraceMs'>) {
    // It cannot be gone yet: it is reaped in a later turn of the event loop.
    this.identity = identify(group.pid);
    this.exited = group.exited;
    this.#group = group;
    this.#terms = terms;
    // Of an agent that has closed it: whoever types is told.
    group.stdin?.on('error', () => group.stdin?.destroy());
    const { promise, resolve, reject } = Promise.withResolvers<ProgramExit>();
    this.ended = promise;
    this.#fail = reject;
    this.#end().then(resolve, reject);
  }

  /** Where it is written to, if that stays open. */
  get stdin(): Writable | undefined {
    return this.#group.stdin;
  }

  /** What it prints, where nobody else reads it: see {@link AgentStart}. */
  get stdout(): Readable {
    return this.#group.stdout;
  }

  /** Whether something can be typed into it. */
  get isTypable(): boolean {
    return this.#group.stdin?.writable ?? false;
  }

  /** Writes to its stdin. Returns whether the system took it. */
  async type(text: string): Promise<boolean> {
    const { stdin } = this.#group;
    if (!stdin?.writable) return false;
    return new Promise((resolve) => {
      stdin.write(text, (error) => resolve(error === undefined || error === null));
    });
  }

  /** Closes its stdin: nothing more will be typed. */
  hangUp(): void {
    this.#group.stdin?.end();
  }

  /** Ends the group: SIGTERM, grace, SIGKILL. Returns at once; {@link ended} tells when it is done. */
  stop(): void {
    this.#ladder ??= terminate([-this.#group.pid], { graceMs: this.#terms.killGraceMs });
    this.#ladder.catch(this.#fail);
  }

  /** Ends the group at once: SIGKILL, whatever {@link stop} would have waited for. */
  kill(): void {
    this.#isKilled = true;
    const killed = terminate([-this.#group.pid], { graceMs: 0 });
    killed.catch(this.#fail);
    this.#ladder ??= killed;
  }

  async #end(): Promise<ProgramExit> {
    const exit = await this.#group.exited;
    if (!(await allGone([-this.#group.pid], LINGER_MS))) this.stop();
    await this.#ladder;
    await this.#endEscaped();
    await this.#group.drain(DRAIN_MS);
    return exit;
  }

  /** Ends what has left the group: several agents give each shell of theirs a group of its own. */
  async #endEscaped(): Promise<void> {
    const { findEscaped, killGraceMs } = this.#terms;
    const escaped = findEscaped();
    const lingerMs = this.#isKilled ? 0 : LINGER_MS;
    if (escaped.length === 0 || (await allGone(escaped, lingerMs))) return;
    await terminate(escaped, { graceMs: this.#isKilled ? 0 : killGraceMs });
    await terminateDescendants(findEscaped);
  }
}

/** Starts an agent without a shell. When the system cannot start it, says why instead. */
export async function startAgent(start: AgentStart): Promise<AgentProcess | { readonly problem: string }> {
  const { findEscaped, killGraceMs, ...order } = start;
  // Several agents take $PWD for the folder they work in.
  const group = await startGroup({ ...order, env: { ...order.env, PWD: order.cwd } });
  return 'problem' in group ? group : new AgentProcess(group, { findEscaped, killGraceMs });
}
