import { z } from 'zod';
import type { OutputParser } from '../agent-adapter.ts';
import type { AgentSignal } from '../output/agent-signal.ts';
import { errorClassOf } from '../output/error-class.ts';
import { delayIn } from '../output/delay-text.ts';
import { readJsonLine, reads } from '../output/json-line.ts';
import { toolAbout } from '../output/tool-about.ts';
import { toolDone, toolFailed } from '../output/tool-end.ts';

const count = z.int().nonnegative();

const failure = z.looseObject({ message: z.string(), type: z.string().optional() });

const stats = z.looseObject({
  total_tokens: count,
  input_tokens: count,
  output_tokens: count,
  cached: count,
});

/** What it adds to an error that is a limit, and what such an error says of itself. */
const LIMITED = /please wait and try again later|possible quota limitations|quota|RESOURCE_EXHAUSTED/i;

/** Reads what `gemini --output-format stream-json` prints. */
export function createGeminiParser(): OutputParser {
  /** Until the limit ends, in ms: said on stderr, before the turn ends. */
  let delayMs: number | undefined;

  const failed = ({ message, type = '' }: z.output<typeof failure>, timestamp: string): AgentSignal => {
    if (!LIMITED.test(message)) return { is: 'error', class: errorClassOf(`${type} ${message}`), message };
    const delay = delayIn(message) ?? delayMs;
    const at = Date.parse(timestamp);
    const isKnown = delay !== undefined && !Number.isNaN(at);
    return { is: 'limit', message, ...(isKnown ? { resetsAt: at + delay } : {}) };
  };

  const readers = {
    init: reads(z.looseObject({ session_id: z.string().min(1) }), ({ session_id: sessionId }) => [
      { is: 'session', sessionId },
    ]),
    message: reads(
      z.looseObject({ role: z.string(), content: z.string(), delta: z.boolean().default(false) }),
      ({ role, content: text, delta: isPart }) =>
        role === 'assistant' ? [{ is: 'text', text, ...(isPart ? { isPart } : {}) }] : [],
    ),
    tool_use: reads(
      z.looseObject({ tool_id: z.string(), tool_name: z.string(), parameters: z.unknown() }),
      ({ tool_id: id, tool_name: tool, parameters }) => [
        { is: 'tool-start', id, tool, about: toolAbout(parameters) },
      ],
    ),
    tool_result: reads(
      z.looseObject({
        tool_id: z.string(),
        status: z.string(),
        output: z.string().optional().catch(undefined),
      }),
      ({ tool_id: id, status, output }) => [status === 'error' ? toolFailed(id, output) : toolDone(id)],
    ),
    // What it warns of. What ends its turn is said by the result, too.
    error: reads(failure, ({ message }) => [{ is: 'text', text: message }]),
    result: reads(
      z.looseObject({
        timestamp: z.string().default(''),
        error: failure.optional(),
        stats: stats.optional(),
      }),
      ({ timestamp, error, stats: used }) => [
        ...(used ? usageOf(used) : []),
        ...(error ? [failed(error, timestamp)] : []),
        { is: 'turn-over' },
      ],
    ),
  };
  return {
    line: (line) => readJsonLine(line, readers),
    errorLine(line) {
      const delay = /^\s*retryDelayMs: (\d+)/.exec(line)?.[1];
      if (delay !== undefined) delayMs = Number(delay);
      return errorLine(line);
    },
  };
}

/** What a run used, which is told once, at its end. Its thoughts are only in the total. */
function usageOf(used: z.output<typeof stats>): AgentSignal[] {
  const { input_tokens: all, total_tokens: total, cached } = used;
  if (total === 0) return [];
  const output = Math.max(used.output_tokens, total - all);
  return [{ is: 'usage', tokens: { input: Math.max(0, all - cached), output, cached } }];
}

/** What it says when it cannot begin: there is no record of that. */
function errorLine(line: string): AgentSignal[] {
  const message =
    /^(?:Error resuming session: .+|When using .+ you must .+|Please set an Auth method.*)/.exec(line)?.[0];
  if (message === undefined) return [];
  const isSession = message.startsWith('Error resuming session');
  return [{ is: 'error', class: isSession ? 'session' : 'auth', message }];
}
