import { z } from 'zod';
import type { UsageSignal } from '../output/agent-signal.ts';

const count = z.number().nonnegative().default(0);

const messageSchema = z.looseObject({
  id: z.string(),
  usage: z.looseObject({
    input_tokens: count,
    output_tokens: count,
    cache_creation_input_tokens: count,
    cache_read_input_tokens: count,
  }),
});

const modelSchema = z.looseObject({
  inputTokens: count,
  outputTokens: count,
  cacheReadInputTokens: count,
  cacheCreationInputTokens: count,
  costUSD: count,
});

const resultSchema = z.looseObject({ model_usage_since_last_result: z.record(z.string(), modelSchema) });

type Tokens = { readonly input: number; readonly output: number; readonly cached: number };

const none: Tokens = { input: 0, output: 0, cached: 0 };

/**
 * Counts what Claude Code uses. It tells it twice: with each message as it comes, where the output is counted
 * too low, and with the result for all models together, with the price. What the messages told is taken off
 * the result.
 */
export class ClaudeUsage {
  readonly #seen = new Set<string>();
  #told = none;

  /** What a message used. One that comes in several records counts once. */
  ofMessage(message: unknown): UsageSignal[] {
    const { data } = messageSchema.safeParse(message);
    if (!data || this.#seen.has(data.id)) return [];
    this.#seen.add(data.id);
    const { usage } = data;
    const tokens = {
      input: usage.input_tokens + usage.cache_creation_input_tokens,
      output: usage.output_tokens,
      cached: usage.cache_read_input_tokens,
    };
    this.#told = combine(this.#told, tokens, (told, more) => told + more);
    return [{ is: 'usage', tokens }];
  }

  /** What was used since the last result, less what messages have told. */
  ofResult(result: unknown): UsageSignal[] {
    const { data } = resultSchema.safeParse(result);
    const models = Object.values(data?.model_usage_since_last_result ?? {});
    if (models.length === 0) return [];
    const all = models.map((model) => ({
      input: model.inputTokens + model.cacheCreationInputTokens,
      output: model.outputTokens,
      cached: model.cacheReadInputTokens,
    }));
    const total = all.reduce((sum, one) => combine(sum, one, (a, b) => a + b), none);
    const tokens = combine(total, this.#told, (used, told) => Math.max(0, used - told));
    this.#told = none;
    return [{ is: 'usage', tokens, costUsd: models.reduce((sum, { costUSD }) => sum + costUSD, 0) }];
  }
}

function combine(a: Tokens, b: Tokens, of: (one: number, other: number) => number): Tokens {
  return { input: of(a.input, b.input), output: of(a.output, b.output), cached: of(a.cached, b.cached) };
}
