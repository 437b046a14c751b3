import { z } from 'zod';
import type { OutputParser } from '../agent-adapter.ts';
import type { AgentErrorClass, AgentSignal } from '../output/agent-signal.ts';
import { withoutSequences } from '../../../lib/text/without-sequences.ts';
import { delayIn } from '../output/delay-text.ts';
import { errorClassOf } from '../output/error-class.ts';
import { readJsonLine, reads } from '../output/json-line.ts';
import { logFields } from '../output/log-fields.ts';
import { toolAbout } from '../output/tool-about.ts';
import { exitCodeText, toolDone, toolFailed } from '../output/tool-end.ts';

const part = <T extends z.core.$ZodLooseShape>(shape: T) =>
  z.looseObject({ sessionID: z.string().min(1), part: z.looseObject(shape) });

const count = z.number().nonnegative().default(0);

const errorSchema = z.looseObject({
  name: z.string(),
  data: z
    .looseObject({
      message: z.string().optional(),
      statusCode: z.int().optional(),
      responseHeaders: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
});

/** Its names for errors, as far as our classes depend on them. */
const classOfName: Readonly<Record<string, AgentErrorClass>> = {
  ProviderAuthError: 'auth',
  ProviderModelNotFoundError: 'model',
  ContextOverflowError: 'model',
  MessageOutputLengthError: 'model',
  ContentFilterError: 'model',
};

/** Why a step was the last one. */
const ENDS: readonly string[] = ['stop', 'length', 'content-filter'];

/** A plan or a budget is used up. Providers say so in these words; of too many requests just now they do not. */
const USED_UP =
  /\bquota\b|usage[ _-]?limit|insufficient_quota|FreeUsageLimit|GoUsageLimit|credit balance|out of credits/i;

/** Reads what `opencode run --format json --print-logs` prints. */
export function createOpencodeParser(): OutputParser {
  let sessionId: string | undefined;

  /** Every record names the session. The last one of them may be its first. */
  const inSession = (id: string, signals: readonly AgentSignal[]): readonly AgentSignal[] => {
    if (id === sessionId) return signals;
    sessionId = id;
    return [{ is: 'session', sessionId: id }, ...signals];
  };

  const readers = {
    step_start: reads(part({}), ({ sessionID }) => inSession(sessionID, [])),
    text: reads(part({ text: z.string() }), ({ sessionID, part: { text } }) =>
      inSession(sessionID, text === '' ? [] : [{ is: 'text', text }]),
    ),
    // Told when it is over, not when it begins.
    tool_use: reads(
      part({
        callID: z.string(),
        tool: z.string(),
        state: z.looseObject({
          status: z.string(),
          input: z.unknown().optional(),
          error: z.string().optional(),
          metadata: z.looseObject({ exit: z.number().nullish() }).optional(),
        }),
      }),
      ({ sessionID, part: { callID: id, tool, state } }) =>
        inSession(sessionID, [
          { is: 'tool-start', id, tool, about: toolAbout(state.input) },
          endOf(id, state),
        ]),
    ),
    step_finish: reads(
      part({
        reason: z.string(),
        cost: count,
        tokens: z.looseObject({
          input: count,
          output: count,
          reasoning: count,
          cache: z.looseObject({ read: count, write: count }),
        }),
      }),
      ({ sessionID, part: { reason, cost, tokens } }) =>
        inSession(sessionID, [
          usageOf(tokens, cost),
          ...(ENDS.includes(reason) ? [{ is: 'turn-over' } as const] : []),
        ]),
    ),
    error: reads(
      z.looseObject({ sessionID: z.string().min(1), timestamp: z.number(), error: errorSchema }),
      ({ sessionID, timestamp, error }) => inSession(sessionID, [errorSignal(error, timestamp)]),
    ),
  };
  return { line: (line) => readJsonLine(line, readers), errorLine, logsOnStderr: true };
}

type ToolState = {
  status: string;
  error?: string | undefined;
  metadata?: { exit?: number | null | undefined } | undefined;
};

function endOf(id: string, { status, error, metadata }: ToolState): AgentSignal {
  const exited = exitCodeText(metadata?.exit);
  return status === 'error' || exited !== undefined ? toolFailed(id, error, exited) : toolDone(id);
}

type Tokens = { input: number; output: number; reasoning: number; cache: { read: number; write: number } };

/** Its counts exclude each other: what was thought is no output, what was cached no input. */
function usageOf({ input, output, reasoning, cache }: Tokens, costUsd: number): AgentSignal {
  const tokens = { input: input + cache.write, output: output + reasoning, cached: cache.read };
  return { is: 'usage', tokens, costUsd };
}

function errorSignal({ name, data = {} }: z.output<typeof errorSchema>, at: number): AgentSignal {
  const { message = name, statusCode, responseHeaders: headers = {} } = data;
  // It gave up after it had tried again for about a minute.
  if (statusCode === 429 || statusCode === 402 || USED_UP.test(message)) {
    const afterS = Number.parseFloat(headers['retry-after'] ?? '');
    return limit(message, at, Number.isNaN(afterS) ? undefined : afterS * 1_000);
  }
  return { is: 'error', class: classOfName[name] ?? errorClassOf(`${statusCode ?? ''} ${message}`), message };
}

/**
 * What it says in its log, or without a record. Several of the first are no end yet: it tries again, up to
 * five times, and says nothing of that on stdout.
 */
function errorLine(line: string): readonly AgentSignal[] {
  const fatal = /^Error: (.+)$/.exec(withoutSequences(line))?.[1];
  if (fatal !== undefined) return [{ is: 'error', class: errorClassOf(fatal), message: fatal }];
  const { level, timestamp, message, error, key, status, small, ...more } = logFields(line);
  if (level === undefined) return [];
  if (message === 'server unavailable' && key === 'clifford')
    return [{ is: 'mcp', status: 'failed', detail: status ?? 'unavailable' }];
  // A title for the session it can do without.
  if (message === 'stream error' && small !== 'true')
    return [refusal(more['error.error'] ?? '', Date.parse(timestamp ?? ''))];
  if (message === 'failed' && error !== undefined) return [failure(error)];
  return [];
}

/** `AI_APICallError: You exceeded your current quota`. */
function refusal(text: string, at: number): AgentSignal {
  const message = text.replace(/^\w+(?: \[\w+\])?: /, '');
  if (USED_UP.test(message)) return limit(message, at);
  const said = errorClassOf(message);
  return { is: 'error', class: said === 'other' ? 'network' : said, message };
}

/** @param at - When it was said, ms since the epoch. */
function limit(message: string, at: number, delayMs = delayIn(message)): AgentSignal {
  const isKnown = delayMs !== undefined && !Number.isNaN(at);
  return { is: 'limit', message, ...(isKnown ? { resetsAt: at + delayMs } : {}) };
}

/** `ProviderModelNotFoundError: Model not found: a/b.` Its record says only that something went wrong. */
function failure(text: string): AgentSignal {
  const [, name = '', message = text] = /^(\w+): (.*)$/s.exec(text) ?? [];
  return { is: 'error', class: classOfName[name] ?? errorClassOf(message), message };
}
