import { withSignals } from './tolerant-parser.ts';
import { type SessionTokens, noTokens } from '../../machines/usage.ts';
import type { OutputParser } from '../agents/agent-adapter.ts';
import type { AgentSignal, UsageSignal } from '../agents/output/agent-signal.ts';

/** What the log says of a session before its agent says anything. */
export type KnownSession = {
  /** `undefined`: none is recorded for this run. */
  readonly sessionId: string | undefined;
  /** What earlier runs used in it. */
  readonly used: SessionTokens | undefined;
};

/**
 * The same parser, less what is known: a session is told once, and of what a whole session used only what came
 * since.
 */
export function dropKnownFacts(parser: OutputParser, known: KnownSession): OutputParser {
  let { sessionId, used = noTokens } = known;
  const since = (total: UsageSignal): UsageSignal[] => {
    const { isSessionTotal: _, ...usage } = total;
    const all = { ...noTokens, ...usage.tokens };
    const before = used;
    const tokens = eachToken((kind) => Math.max(0, all[kind] - before[kind]));
    used = eachToken((kind) => Math.max(all[kind], before[kind]));
    return tokens.input + tokens.output + tokens.cached > 0 ? [{ ...usage, tokens }] : [];
  };
  const news = (signal: AgentSignal): AgentSignal[] => {
    if (signal.is === 'usage' && signal.isSessionTotal) return since(signal);
    if (signal.is !== 'session') return [signal];
    if (signal.sessionId === sessionId) return [];
    ({ sessionId } = signal);
    return [signal];
  };
  return withSignals(parser, news);
}

function eachToken(of: (kind: keyof SessionTokens) => number): SessionTokens {
  return { input: of('input'), output: of('output'), cached: of('cached') };
}
