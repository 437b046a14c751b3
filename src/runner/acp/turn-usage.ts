import { z } from 'zod';
import type { AcpSpeech } from '../agents/agent-adapter.ts';
import type { AgentSignal } from '../agents/output/agent-signal.ts';

const count = z.number().nonnegative().nullish().catch(undefined);

const usageSchema = z.looseObject({
  totalTokens: count,
  inputTokens: count,
  outputTokens: count,
  thoughtTokens: count,
  cachedReadTokens: count,
  cachedWriteTokens: count,
});

const quotaSchema = z.looseObject({
  quota: z.looseObject({ token_count: z.looseObject({ input_tokens: count, output_tokens: count }) }),
});

/**
 * What an agent says at the end of a turn that it has used: in a field of the protocol that is not stable yet, or in one
 * of its own. Some count what came from a cache as a part of the input, some beside it: the sum of all says which.
 */
export function turnUsage(end: object, { countsSession = false }: AcpSpeech): readonly AgentSignal[] {
  const tokens = standardTokens(end) ?? quotaTokens(end);
  if (!tokens || tokens.input + tokens.output === 0) return [];
  return [{ is: 'usage', tokens, isSessionTotal: countsSession }];
}

type Tokens = { readonly input: number; readonly output: number; readonly cached: number };

function standardTokens(end: object): Tokens | undefined {
  const { data } = usageSchema.safeParse('usage' in end ? end.usage : undefined);
  if (!data) return undefined;
  const cached = data.cachedReadTokens ?? 0;
  const total = data.totalTokens ?? (data.inputTokens ?? 0) + (data.outputTokens ?? 0) + cached;
  const output = (data.outputTokens ?? 0) + thoughtBeside(data);
  return { input: Math.max(0, total - output - cached), output, cached };
}

/** What was thought, where that is counted beside the output, as by OpenCode: the sum of all says so. */
function thoughtBeside(usage: z.infer<typeof usageSchema>): number {
  const { totalTokens, inputTokens, outputTokens, thoughtTokens, cachedReadTokens, cachedWriteTokens } =
    usage;
  const thought = thoughtTokens ?? 0;
  const [read, written] = [cachedReadTokens ?? 0, cachedWriteTokens ?? 0];
  const rest = (totalTokens ?? 0) - (inputTokens ?? 0) - (outputTokens ?? 0) - thought;
  return [0, read, read + written].includes(rest) ? thought : 0;
}

function quotaTokens(end: object): Tokens | undefined {
  const { data } = quotaSchema.safeParse('_meta' in end ? end._meta : undefined);
  const { input_tokens: input, output_tokens: output } = data?.quota.token_count ?? {};
  return data && { input: input ?? 0, output: output ?? 0, cached: 0 };
}
