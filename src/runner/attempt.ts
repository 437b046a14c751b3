import type { EndReason } from '../events/agent-events.ts';
import type { Candidate } from '../machines/legality.ts';
import { AgentOutput } from './agent-output.ts';
import type { Printed } from './agent-output.ts';
import type { AgentExit, AgentProcess, AgentStart, OutputChannel } from './agent-process.ts';
import { startAgent } from './agent-process.ts';
import type { OutputParser } from './agents/agent-adapter.ts';
import type { AgentSignal } from './agents/agent-signal.ts';
import { failureReason } from './exit-verdict.ts';
import type { EndedAttempt } from './exit-verdict.ts';
import type { ProcessIdentity } from './process-identity.ts';
import type { RunFiles } from './run-files.ts';
import type { RunView } from './runner-view.ts';
import { factOf } from './signal-facts.ts';
import type { Transcript } from './transcript.ts';

/** What an attempt is about, and where its output goes. */
export type AttemptParts = {
  readonly runId: string;
  readonly taskId: string;
  /** `stream/task`. */
  readonly subject: string;
  readonly transcript: Transcript;
  /** What it needs while it lives. */
  readonly files: RunFiles;
  /** It goes on with a session, and should connect to Clifford. */
  readonly wasResumed: boolean;
  /** Reads its structured output; `undefined`: it prints plain text. */
  readonly parser: OutputParser | undefined;
  readonly onOutput: (channel: OutputChannel, text: string) => void;
  /** Called when something happened that decisions depend on: facts to record, or the end. */
  readonly onNews: () => void;
};

type Ending = { readonly exit: AgentExit } | { readonly problem: string };

/** One attempt at a task: its agent from before its start until its end is known. */
export class Attempt {
  readonly #parts: AttemptParts;
  readonly #output: AgentOutput;
  /** What the agent said that is not in the log yet, in order. */
  #facts: Candidate[] = [];
  #process: AgentProcess | undefined;
  #endReason: EndReason | undefined;
  #ending: Ending | undefined;
  #failure: { readonly error: unknown } | undefined;
  #completedAt: number | undefined;

  constructor(parts: AttemptParts) {
    this.#parts = parts;
    this.#output = new AgentOutput(parts.parser);
  }

  /** Starts the agent. `undefined`: the system could not, and the attempt has ended. */
  async start(agent: Omit<AgentStart, 'onOutput'>): Promise<ProcessIdentity | undefined> {
    const started = await startAgent({
      ...agent,
      onOutput: (channel, chunk) => this.#print(channel, this.#output.take(channel, chunk)),
    });
    if ('problem' in started) {
      this.#ended(started);
      return undefined;
    }
    this.#process = started;
    started.ended.then(
      (exit) => this.#ended({ exit }),
      (error: unknown) => {
        this.#failure = { error };
        this.#parts.onNews();
      },
    );
    return started.identity;
  }

  /** The attempt as decisions see it. */
  view(): RunView {
    const { runId, taskId } = this.#parts;
    const phase = this.#ending ? 'ended' : this.#endReason === undefined ? 'working' : 'stopping';
    return { runId, taskId, phase, completedAt: this.#completedAt, hasFacts: this.#facts.length > 0 };
  }

  /** Ends the agent, unless it has ended. The first reason counts. */
  stop(reason: EndReason): void {
    if (this.#ending) return;
    this.#endReason ??= reason;
    this.#process?.stop();
  }

  /** Ends the agent and waits until it is gone, whether that can be recorded or not. */
  async abandon(): Promise<void> {
    this.stop('stopped');
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

  /** Hands out what the agent said that is not in the log yet. */
  takeFacts(): Candidate[] {
    const facts = this.#facts;
    this.#facts = [];
    return facts;
  }

  /** How the attempt ended, as the log's facts and for the verdict. Only once it has. */
  ending(): { readonly facts: readonly Candidate[]; readonly attempt: EndedAttempt } {
    const ending = this.#ending;
    if (!ending) throw new Error(`attempt ${this.#parts.runId} has not ended`);
    const { runId, taskId, subject } = this.#parts;
    if ('problem' in ending) {
      const reason = `the agent could not be started: ${ending.problem}`;
      const fact: Candidate = { type: 'agent.lost', subject, data: { runId, reason } };
      return {
        facts: [...this.#facts, fact],
        attempt: { runId, taskId, endReason: undefined, wasResumed: false, reason },
      };
    }
    const endReason = this.#endReason;
    const data = { runId, ...ending.exit, ...(endReason === undefined ? {} : { reason: endReason }) };
    const reason = failureReason(ending.exit, { endReason, lastWords: this.#output.lastWords() });
    return {
      facts: [...this.#facts, { type: 'agent.exited', subject, data }],
      attempt: { runId, taskId, endReason, wasResumed: this.#parts.wasResumed, reason },
    };
  }

  #ended(ending: Ending): void {
    this.#print('stdout', this.#output.rest());
    this.#ending = ending;
    this.#parts.transcript.close();
    this.#parts.files.remove();
    this.#parts.onNews();
  }

  #print(channel: OutputChannel, { text, signals }: Printed): void {
    const { transcript, onOutput } = this.#parts;
    if (text !== '') {
      const note = transcript.append(Buffer.from(text));
      onOutput(channel, text);
      if (note !== undefined) onOutput('stderr', `\n[clifford: ${note}]\n`);
    }
    for (const signal of signals) this.#note(signal);
  }

  #note(signal: AgentSignal): void {
    const fact = factOf(signal, this.#parts);
    if (!fact) return;
    this.#facts.push(fact);
    this.#parts.onNews();
  }
}
