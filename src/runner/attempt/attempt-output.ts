import type { OutputChannel, ProgramExit } from '../../lib/processes/start-group.ts';
import type { AgentSignal } from '../agents/output/agent-signal.ts';
import { AgentOutput, type Printed } from '../output/agent-output.ts';
import { factOf } from '../output/signal-facts.ts';
import { UnrecordedFacts } from '../output/unrecorded-facts.ts';
import { PromptWatch } from '../prompts/prompt-watch.ts';
import { AttemptDisplay } from './attempt-display.ts';
import type { AttemptParts } from './attempt-parts.ts';
import { VitalSigns } from './vital-signs.ts';

/** What the agent of an attempt says: it is shown and kept, and becomes facts, prompts and signs of life. */
export class AttemptOutput {
  /** Whether it lives, and what it says of itself. */
  readonly vitals = new VitalSigns();
  /** What it waits for at its terminal. */
  readonly prompts: PromptWatch;
  /** What is not in the log yet. */
  readonly facts = new UnrecordedFacts();
  readonly display: AttemptDisplay;
  readonly #parts: AttemptParts;
  readonly #output: AgentOutput;

  /** @param isTypable - Whether something can be typed into the agent by now. */
  constructor(parts: AttemptParts, isTypable: () => boolean) {
    this.#parts = parts;
    this.#output = new AgentOutput(parts.parser);
    this.display = new AttemptDisplay({ ...parts, onBreak: () => this.#output.noteLineEnd() });
    this.prompts = new PromptWatch({
      unfinished: (channel) => this.#output.unfinished(channel),
      isTypable,
      onNews: parts.onNews,
    });
  }

  /** What it said last, for who asks why it ended. */
  get lastWords(): ReturnType<AgentOutput['lastWords']> {
    return this.#output.lastWords();
  }

  /** Takes what it has written. */
  take(channel: OutputChannel, chunk: Parameters<AgentOutput['take']>[1]): void {
    this.#print(channel, this.#output.take(channel, chunk));
  }

  /** Shows what was typed into it. */
  echo(text: string): void {
    this.display.show('stdout', this.#output.foreign(text, 'stdout'));
  }

  /** Takes what no line of its output says. */
  takeQueued(): void {
    this.#print('stdout', this.#output.queued());
  }

  /** Takes its last line, which may have no end. */
  takeLastLine(): void {
    this.#print('stdout', this.#output.lastLine());
  }

  /** It says nothing any more. */
  end(exit: ProgramExit | undefined): void {
    this.#print('stdout', this.#output.rest());
    this.display.show('stderr', this.#output.errorRest());
    this.prompts.end();
    this.display.end(exit);
  }

  #print(channel: OutputChannel, printed: Printed): void {
    this.vitals.noteOutput({ isPlain: this.#parts.parser === undefined });
    if (printed.kept !== undefined) this.display.showOf(printed.kept, printed.text);
    else this.display.show(channel, printed.text);
    this.prompts.take(channel, printed);
    for (const signal of printed.signals) this.#note(signal);
  }

  #note(signal: AgentSignal): void {
    const { runId, subject, ownCall } = this.#parts;
    const { isRepeated, isUrgent, hasContinued } = this.vitals.noteSignal(signal);
    if (hasContinued) this.facts.add({ type: 'agent.continued', subject, data: { runId } });
    const fact = isRepeated ? undefined : factOf(signal, { runId, subject, ownCall });
    if (fact) this.facts.add(fact);
    if (fact || isUrgent || hasContinued) this.#parts.onNews();
  }
}
