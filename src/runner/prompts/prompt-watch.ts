import type { AgentOutput, Printed } from '../output/agent-output.ts';
import type { OutputChannel } from '../../lib/processes/start-group.ts';
import { ANY_PROMPT_QUIET_MS, detectPrompt, plainLines, PROMPT_QUIET_MS } from './detect-prompt.ts';
import type { Prompt } from './prompt.ts';

/** A prompt in the output of an agent, and what surrounds it. */
export type FoundPrompt = Prompt & {
  /** The lines before it. `''`: there are none. */
  readonly context: string;
  /** The request it has become, or becomes. */
  readonly requestId: string | undefined;
  /** The agent printed on, without an answer. */
  readonly hasGoneOn: boolean;
};

/** So much of an output is looked at, in UTF-16 units. */
const END_LENGTH = 4_096;
const CONTEXT_LINES = 20;

type Found = FoundPrompt & { readonly channel: OutputChannel };

/** Watches what an agent prints for prompts. One at a time, and each once. */
export class PromptWatch {
  readonly #unfinished: AgentOutput['unfinished'];
  readonly #isTypable: () => boolean;
  readonly #onNews: () => void;
  /** What came on each channel since the last prompt. */
  readonly #ends: Record<OutputChannel, string> = { stdout: '', stderr: '' };
  /** How much of an unfinished line was a prompt already. */
  readonly #known: Record<OutputChannel, number> = { stdout: 0, stderr: 0 };
  #before = '';
  #latest: OutputChannel = 'stdout';
  #timer: NodeJS.Timeout | undefined;
  #found: Found | undefined;
  #isOver = false;

  /**
   * @param unfinished - As {@link AgentOutput.unfinished}.
   * @param isTypable - Whether an answer can be typed.
   * @param onNews - Called when {@link found} changes.
   */
  constructor({
    unfinished,
    isTypable,
    onNews,
  }: {
    readonly unfinished: AgentOutput['unfinished'];
    readonly isTypable: () => boolean;
    readonly onNews: () => void;
  }) {
    this.#unfinished = unfinished;
    this.#isTypable = isTypable;
    this.#onNews = onNews;
  }

  /** The prompt that was found last, until it is {@link forget | forgotten}. */
  get found(): FoundPrompt | undefined {
    return this.#found;
  }

  /** Takes what was printed. */
  take(channel: OutputChannel, { plain, isStructured }: Pick<Printed, 'plain' | 'isStructured'>): void {
    if (this.#isOver) return;
    this.#latest = channel;
    if (isStructured) this.#ends[channel] = '';
    if (isStructured || plain !== '') this.#known[channel] = 0;
    this.#ends[channel] = (this.#ends[channel] + plain).slice(-END_LENGTH);
    this.#before = (this.#before + plain).slice(-END_LENGTH);
    if (isStructured || this.#isNew(channel, plain)) this.#goOn();
    this.#look();
  }

  /** The prompt becomes a request. */
  noteAsked(requestId: string): void {
    if (this.#found) this.#found = { ...this.#found, requestId };
  }

  /** The prompt has not become a request after all. */
  noteUnasked(): void {
    if (this.#found?.hasGoneOn) this.forget();
    else if (this.#found) this.#found = { ...this.#found, requestId: undefined };
  }

  /** Nothing is left to do about the prompt: the next one may be found. */
  forget(): void {
    this.#found = undefined;
    this.#look();
  }

  /** The agent has ended. Safe to call twice. */
  end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #look(): void {
    clearTimeout(this.#timer);
    if (this.#isOver || this.#found) return;
    this.#timer = setTimeout(() => {
      // An answer to what may be none would end the attempt where it cannot be typed.
      if (this.#detect(PROMPT_QUIET_MS) || !this.#isTypable()) return;
      const more = ANY_PROMPT_QUIET_MS - PROMPT_QUIET_MS;
      this.#timer = setTimeout(() => this.#detect(ANY_PROMPT_QUIET_MS), more);
    }, PROMPT_QUIET_MS);
  }

  /** Whether there is one, now that nothing has come for so long. */
  #detect(quietMs: number): boolean {
    const other = this.#latest === 'stdout' ? 'stderr' : 'stdout';
    for (const channel of [this.#latest, other] as const) {
      const unfinished = this.#unfinished(channel);
      const text = (this.#ends[channel] + unfinished.slice(this.#known[channel])).slice(-END_LENGTH);
      const prompt = detectPrompt({ text, before: this.#before, quietMs });
      if (!prompt) continue;
      const context = contextOf(text === '' ? this.#before : text, prompt);
      this.#found = { ...prompt, channel, context, requestId: undefined, hasGoneOn: false };
      this.#ends[channel] = '';
      this.#known[channel] = unfinished.length;
      this.#onNews();
      return true;
    }
    return false;
  }

  /** Something that can be seen, on the channel of the prompt, and not the prompt drawn anew. */
  #isNew(channel: OutputChannel, plain: string): boolean {
    if (!this.#found || channel !== this.#found.channel) return false;
    const lines = plainLines(plain).filter((line) => line.trim() !== '');
    return lines.length > 0 && lines.at(-1)?.trim() !== this.#found.question;
  }

  #goOn(): void {
    if (!this.#found || this.#found.hasGoneOn) return;
    // Nobody was asked yet: it never was a prompt.
    this.#found = this.#found.requestId === undefined ? undefined : { ...this.#found, hasGoneOn: true };
    this.#onNews();
  }
}

function contextOf(text: string, { question }: Prompt): string {
  const lines = plainLines(text).map((line) => line.trimEnd());
  const at = lines.findLastIndex((line) => line.includes(question));
  return lines.slice(0, at).slice(-CONTEXT_LINES).join('\n').trim();
}
