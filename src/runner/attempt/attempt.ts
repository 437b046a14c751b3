import { setImmediate } from 'node:timers/promises';
import type { EndReason } from '../../events/end-reason.ts';
import type { StoredEvent } from '../../events/envelope.ts';
import type { Candidate } from '../../machines/legality.ts';
import type { RecordedAnswer } from '../../machines/project-state.ts';
import { type AgentProcess, type AgentStart, startAgent } from './agent-process.ts';
import { AttemptCourse, type Ending } from './attempt-course.ts';
import { attemptEnding } from './attempt-ending.ts';
import { AttemptOutput } from './attempt-output.ts';
import type { AttemptParts, PromptAsker } from './attempt-parts.ts';
import { AttemptStop } from './attempt-stop.ts';
import type { EndedAttempt } from '../reconcile/exit-verdict.ts';
import type { PromptWatch } from '../prompts/prompt-watch.ts';
import type { Prompt } from '../prompts/prompt.ts';
import { echoOf, typedAnswer } from '../prompts/typed-answer.ts';
import { isAlive, type ProcessIdentity } from '../../lib/processes/process-identity.ts';
import type { RunView } from '../reconcile/runner-view.ts';
import type { RecordFacts } from '../output/unrecorded-facts.ts';
import type { Seen, VitalSigns } from './vital-signs.ts';
import type { AttemptLimits } from './watch.ts';

/** One attempt at a task: its agent from before its start until its end is known. */
export class Attempt {
  readonly #parts: AttemptParts;
  readonly #output: AttemptOutput;
  readonly #course = new AttemptCourse();
  #process: AgentProcess | undefined;
  readonly #stopping: AttemptStop;
  /** What went wrong while nobody waited. */
  #failure: { readonly error: unknown } | undefined;
  /** When the runner saw that its task was completed, ms since the epoch. */
  #completedAt: number | undefined;

  constructor(parts: AttemptParts) {
    this.#parts = parts;
    this.#output = new AttemptOutput(parts, () => this.#isTypable());
    this.#stopping = new AttemptStop(this.#course, {
      agent: () => this.#process,
      conversation: parts.conversation,
    });
  }

  /** Whether it lives, and what it says of itself. */
  get vitals(): VitalSigns {
    return this.#output.vitals;
  }

  /** What it waits for at its terminal. */
  get prompts(): PromptWatch {
    return this.#output.prompts;
  }

  /** Starts the agent. `undefined`: the system could not, and the attempt has ended. */
  async start(agent: Omit<AgentStart, 'onOutput'>): Promise<ProcessIdentity | undefined> {
    const started = await startAgent({
      ...agent,
      onOutput: (channel, chunk) => this.#try(() => this.#output.take(channel, chunk)),
    });
    if ('problem' in started) {
      this.#try(() => this.#ended(started));
      return undefined;
    }
    this.#process = started;
    this.#parts.files.keepFor(started.identity);
    const { conversation } = this.#parts;
    started.ended.then(
      async (exit) => {
        this.#try(() => this.#output.takeLastLine());
        // Whoever waits for what that line answers has its turn first. What it did comes before its end.
        if (conversation) await setImmediate().then(() => conversation.settled());
        this.#try(() => this.#ended({ exit }));
      },
      (error: unknown) => this.#fail(error),
    );
    void conversation?.converse();
    // Its output may be open for longer: a yes that came now would be used up by nobody.
    void started.exited.then(() => conversation?.noteExit());
    return started.identity;
  }

  /** Whether its agent lives, by the system: it may have ended before that is noticed here. */
  isAlive(): boolean {
    return this.#process !== undefined && isAlive(this.#process.identity);
  }

  /** Writes to its stdin. Returns whether the system took it. */
  async write(text: string): Promise<boolean> {
    return (await this.#process?.type(text)) ?? false;
  }

  /** Its turn is over: nobody speaks with it any more. */
  hangUp(): void {
    this.#stopping.hangUp();
  }

  /** Shows what it says that no line of its output does. */
  noteQueued(): void {
    if (!this.#course.ending) this.#try(() => this.#output.takeQueued());
  }

  /** Ends the attempt without an agent: what it needs could not be had. */
  fail(problem: string): void {
    this.#ended({ problem });
  }

  /** The attempt as decisions see it. */
  view(): RunView {
    const { runId, taskId, parkable } = this.#parts;
    const { found } = this.prompts;
    const isTypable = this.#isTypable();
    return {
      runId,
      taskId,
      phase: this.#course.phase,
      completedAt: this.#completedAt,
      hasFacts: this.#output.facts.all.length > 0,
      connects: this.#parts.connects,
      parkable,
      isSteerable: this.#parts.conversation?.canSteer() ?? false,
      ...this.vitals.view(),
      ...(found && {
        prompt: { requestId: found.requestId, hasGoneOn: found.hasGoneOn, isTypable, isGuess: found.isGuess },
      }),
    };
  }

  /** Looks at the agent, for the decision whether it may go on. */
  look(seen: Seen, limits: AttemptLimits): void {
    if (this.#process && !this.#course.ending) this.vitals.look(this.#process.identity.pid, seen, limits);
  }

  /**
   * Ends the agent, unless it has ended. The first reason counts.
   *
   * @param detail - The reason in words, where there is more to say.
   */
  stop(reason: EndReason, detail?: string): void {
    this.#stopping.stop(reason, detail);
  }

  /** Ends the agent at once, without the time that it would have had. */
  kill(): void {
    this.#stopping.kill();
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

  /** Something is possible that was not: decisions are taken anew. */
  wake(): void {
    this.#parts.onNews();
  }

  /** Says the notes that wait for it into its turn. Returns once they are taken. */
  async steer(): Promise<void> {
    await this.#parts.conversation?.steer();
  }

  /** Who waits at which prompt. */
  atPrompt(): PromptAsker {
    const { runId, taskId, client } = this.#parts;
    return { runId, taskId, client, prompt: this.prompts.found, isTypable: this.#isTypable() };
  }

  /** Types the answer to a prompt. Returns whether the agent took it. */
  async type(prompt: Prompt, answer: RecordedAnswer): Promise<boolean> {
    const isTaken = (await this.#process?.type(typedAnswer(prompt, answer))) ?? false;
    if (isTaken) this.#output.echo(echoOf(prompt, answer));
    return isTaken;
  }

  /** Marks those events of the log in the transcript that are about this attempt or its task. */
  mark(events: readonly StoredEvent[]): void {
    if (this.#course.ending) return;
    const { runId, subject, transcript } = this.#parts;
    const isOwn = (event: StoredEvent) =>
      event.subject === subject || ('runId' in event.data && event.data.runId === runId);
    transcript.mark(...events.filter(isOwn));
  }

  /** @param now - ms since the epoch. */
  noteCompletion(now: number): void {
    this.#completedAt ??= now;
  }

  /** @throws what went wrong while nobody waited, e.g. `AGENT_SURVIVES` when the agent could not be ended. */
  throwIfFailed(): void {
    if (this.#failure) throw this.#failure.error;
  }

  /** Adds facts about its start: they come before what the agent said. */
  noteStarted(facts: readonly Candidate[]): void {
    this.#output.facts.putFirst(facts);
  }

  /** Adds a fact that the runner knows. */
  noteFact(fact: Candidate): void {
    this.#output.facts.add(fact);
    this.#parts.onNews();
  }

  /** Says something among what the agent says: below the line that it is at, unless that takes long. */
  remark(text: string): void {
    const { display } = this.#output;
    this.#try(() => display.remark(text, () => this.#try(() => display.remarkNow())));
  }

  /** Records what is not in the log yet. What `record` rejects is kept for the next time. */
  async recordFacts(record: RecordFacts): Promise<void> {
    await this.#output.facts.recordWith(record);
  }

  /** Whether facts may be in the log, and nobody knows, or are too many to come with its end: they are recorded before that is. */
  get hasFactsBeforeEnd(): boolean {
    const { areSomeUndecided, areMany } = this.#output.facts;
    return areSomeUndecided || areMany;
  }

  /** How the attempt ended, as the log's facts and for the verdict. Only once it has. */
  ending(): { readonly facts: readonly Candidate[]; readonly attempt: EndedAttempt } {
    const { ending, stopped } = this.#course;
    if (!ending) throw new Error(`attempt ${this.#parts.runId} has not ended`);
    const { fact, attempt } = attemptEnding({
      ...this.#parts,
      ending,
      endReason: stopped?.reason,
      endDetail: stopped?.detail,
      hasCompleted: this.#completedAt !== undefined,
      report: this.vitals.report,
      lastWords: this.#output.lastWords,
    });
    return { facts: [...this.#output.facts.all, fact], attempt };
  }

  /** Nobody catches what a listener throws: the run has to hear of it, and end its agents. */
  #try(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#parts.onNews();
  }

  #ended(ending: Ending): void {
    this.#output.end('exit' in ending ? ending.exit : undefined);
    this.#stopping.end();
    this.#course.end(ending);
    this.#parts.files.remove();
    this.#parts.onNews();
  }

  #isTypable(): boolean {
    return !this.#parts.conversation && (this.#process?.isTypable ?? false);
  }
}
