import { clip } from '../../lib/text/clip.ts';
import type { OutputParser } from '../agents/agent-adapter.ts';
import type { AgentSignal } from '../agents/output/agent-signal.ts';
import { isSessionId } from '../agents/session-id.ts';

/** Longest text of a signal that is told on, in UTF-16 units: an error may hold all of an answer. */
const MAX_MESSAGE = 2_000;

/** Longest id of a tool call, in UTF-16 units: as long as a name in the log may be. */
const MAX_ID = 512;

/** Latest end of a usage limit that a date of the log can name, in ms since the epoch. */
const LATEST_MS = Date.UTC(9999, 11, 31);

/**
 * The same parser, whose signals the log can take. What an agent prints is not ours: an absurd number or an
 * endless message in it ends no run.
 */
export function tolerantParser(parser: OutputParser): OutputParser {
  return withSignals(parser, sound);
}

/** The same parser, each of whose signals becomes others, or none. */
export function withSignals(
  { line, longLine, errorLine, queued, end, ...rest }: OutputParser,
  become: (signal: AgentSignal) => readonly AgentSignal[],
): OutputParser {
  return {
    ...rest,
    line: (text) => line(text)?.flatMap(become),
    ...(longLine && { longLine: (beginning) => longLine(beginning).flatMap(become) }),
    ...(errorLine && { errorLine: (text) => errorLine(text).flatMap(become) }),
    ...(queued && { queued: () => queued().flatMap(become) }),
    ...(end && { end: () => end().flatMap(become) }),
  };
}

function sound(signal: AgentSignal): AgentSignal[] {
  switch (signal.is) {
    case 'session':
      // Cut short it would be another one.
      return isSessionId(signal.sessionId) ? [signal] : [];
    case 'usage': {
      const { input, output, cached } = signal.tokens;
      const tokens = {
        input: count(input),
        output: count(output),
        ...(cached === undefined ? {} : { cached: count(cached) }),
      };
      const { costUsd, ...usage } = signal;
      const isPrice = costUsd !== undefined && isIn(costUsd, 0, Number.MAX_SAFE_INTEGER);
      return [{ ...usage, tokens, ...(isPrice ? { costUsd } : {}) }];
    }
    case 'limit': {
      const { message, resetsAt = Number.NaN } = signal;
      return [
        {
          is: 'limit',
          message: clip(message, MAX_MESSAGE),
          ...(isIn(resetsAt, 0, LATEST_MS) ? { resetsAt } : {}),
        },
      ];
    }
    case 'error':
      return [{ ...signal, message: clip(signal.message, MAX_MESSAGE) }];
    case 'mcp':
      return [signal.detail === undefined ? signal : { ...signal, detail: clip(signal.detail, MAX_MESSAGE) }];
    case 'tool-start':
    case 'tool-end':
      return [{ ...signal, id: signal.id.slice(0, MAX_ID) }];
    default:
      return [signal];
  }
}

/** False for what is no number, too. */
function isIn(value: number, least: number, most: number): boolean {
  return value >= least && value <= most;
}

/** Tokens are whole. */
function count(tokens: number): number {
  return Number.isNaN(tokens) ? 0 : Math.min(Math.max(0, Math.round(tokens)), Number.MAX_SAFE_INTEGER);
}
