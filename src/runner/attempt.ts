import type { Candidate } from '../machines/legality.ts';
import type { AgentExit, AgentProcess, AgentStart, OutputChannel } from './agent-process.ts';
import { startAgent } from './agent-process.ts';
import { OutputDecoder } from './output-decoder.ts';
import { failureReason } from './exit-verdict.ts';
import type { EndedAttempt } from './exit-verdict.ts';
import type { ProcessIdentity } from './process-identity.ts';
import type { RunView } from './runner-view.ts';
import type { Transcript } from './transcript.ts';

/** What an attempt is about, and where its output goes. */
export type AttemptParts = {
  readonly runId: string;
  readonly taskId: string;
  /** `stream/task`. */
  readonly subject: string;
  readonly transcript: Transcript;
  readonly onOutput: (channel: OutputChannel, text: string) => void;
  /** Called when the agent has ended, or when it cannot be ended. */
  readonly onEnd: () => void;
};

type Ending = { readonly exit: AgentExit } | { readonly problem: string };

/** One attempt at a task: its agent from before its start until its end is known. */
export class Attempt {
  readonly #parts: AttemptParts;
  readonly #output = new OutputDecoder();
  #process: AgentProcess | undefined;
  #wasStopped = false;
  #ending: Ending | undefined;
  #failure: { readonly error: unknown } | undefined;
  #completedAt: number | undefined;

  constructor(parts: AttemptParts) {
    this.#parts = parts;
  }

  /** Starts the agent. `undefined`: the system could not, and the attempt has ended. */
  async start(agent: Omit<AgentStart, 'onOutput'>): Promise<ProcessIdentity | undefined> {
    const started = await startAgent({ ...agent, onOutput: (channel, chunk) => this.#print(channel, chunk) });
    if ('problem' in started) {
      this.#ended(started);
      return undefined;
    }
    this.#process = started;
    started.ended.then(
      (exit) => this.#ended({ exit }),
      (error: unknown) => {
        this.#failure = { error };
        this.#parts.onEnd();
      },
    );
    return started.identity;
  }

  /** The attempt as decisions see it. */
  view(): RunView {
    const { runId, taskId } = this.#parts;
    const phase = this.#ending ? 'ended' : this.#wasStopped ? 'stopping' : 'working';
    return { runId, taskId, phase, completedAt: this.#completedAt };
  }

  /** Ends the agent, unless it has ended. What it did counts for nothing. */
  stop(): void {
    if (this.#ending) return;
    this.#wasStopped = true;
    this.#process?.stop();
  }

  /** Ends the agent and waits until it is gone, whether that can be recorded or not. */
  async abandon(): Promise<void> {
    this.stop();
    try {
      await this.#process?.ended;
    } finally {
      this.#parts.transcript.close();
    }
  }

  /** @param now - ms since the epoch. */
  noteCompletion(now: number): void {
    this.#completedAt ??= now;
  }

  /** @throws {CliffordError} `AGENT_SURVIVES` when the agent could not be ended. */
  throwIfStuck(): void {
    if (this.#failure) throw this.#failure.error;
  }

  /** How the attempt ended, as the log's fact and for the verdict. Only once it has. */
  ending(): { readonly fact: Candidate; readonly attempt: EndedAttempt } {
    const ending = this.#ending;
    if (!ending) throw new Error(`attempt ${this.#parts.runId} has not ended`);
    const { runId, taskId, subject } = this.#parts;
    if ('problem' in ending) {
      const reason = `the agent could not be started: ${ending.problem}`;
      const fact: Candidate = { type: 'agent.lost', subject, data: { runId, reason } };
      return { fact, attempt: { runId, taskId, wasStopped: false, reason } };
    }
    const fact: Candidate = { type: 'agent.exited', subject, data: { runId, ...ending.exit } };
    const reason = failureReason(ending.exit, this.#output.lastWords());
    return { fact, attempt: { runId, taskId, wasStopped: this.#wasStopped, reason } };
  }

  #ended(ending: Ending): void {
    this.#ending = ending;
    this.#parts.transcript.close();
    this.#parts.onEnd();
  }

  #print(channel: OutputChannel, chunk: Uint8Array): void {
    const { transcript, onOutput } = this.#parts;
    const note = transcript.append(chunk);
    const text = this.#output.decode(channel, chunk);
    if (text !== '') onOutput(channel, text);
    if (note !== undefined) onOutput('stderr', `\n[clifford: ${note}]\n`);
  }
}
