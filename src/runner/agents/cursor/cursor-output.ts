import { z } from 'zod';
import type { OutputParser } from '../agent-adapter.ts';
import type { AgentSignal } from '../output/agent-signal.ts';
import { errorClassOf } from '../output/error-class.ts';
import { readJsonLine, reads } from '../output/json-line.ts';
import { toolAbout } from '../output/tool-about.ts';

const count = z.int().nonnegative().default(0);

const callSchema = z.looseObject({
  args: z.looseObject({}).optional(),
  result: z.looseObject({}).optional(),
});

const mcpArgsSchema = z.looseObject({
  toolName: z.string().optional(),
  name: z.string().optional(),
  args: z.unknown().optional(),
});

const usageSchema = z.looseObject({
  inputTokens: count,
  outputTokens: count,
  cacheReadTokens: count,
  cacheWriteTokens: count,
});

/** What it says when a plan is used up. */
const USED_UP = /usage limit|out of usage|spend(?:ing)? limit/i;

/** Reads what `cursor-agent --print --output-format stream-json` prints. */
export function createCursorParser(): OutputParser {
  const readers = {
    system: reads(
      z.looseObject({ subtype: z.string(), session_id: z.string().min(1).optional() }),
      ({ subtype, session_id: sessionId }) =>
        subtype === 'init' && sessionId !== undefined ? [{ is: 'session', sessionId }] : [],
    ),
    assistant: reads(
      z.looseObject({
        message: z.looseObject({
          content: z.array(z.looseObject({ type: z.string(), text: z.string().default('') })),
        }),
      }),
      ({ message }) => {
        const text = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
        return text === '' ? [] : [{ is: 'text', text }];
      },
    ),
    tool_call: reads(
      z.looseObject({
        subtype: z.string(),
        call_id: z.string(),
        // One member, named after the tool; others may stand beside it.
        tool_call: z.record(z.string(), z.unknown()),
      }),
      ({ subtype, call_id: id, tool_call: call }) => toolSignals(subtype, id, call),
    ),
    result: reads(
      z.looseObject({
        is_error: z.boolean().default(false),
        subtype: z.string().default(''),
        result: z.string().default(''),
        usage: usageSchema.optional(),
      }),
      ({ is_error: isError, subtype, result, usage }) => [
        ...(usage ? [usageOf(usage)] : []),
        ...(isError ? [failure(result === '' ? subtype : result)] : []),
        { is: 'turn-over' },
      ],
    ),
  };
  return {
    line: (line) => readJsonLine(line, readers),
    errorLine: (line) => {
      // Some errors have a class of their own as a first word, or just a letter.
      const message = /^(?:\w*Error|[A-Z]): (.+)$/.exec(line)?.[1];
      return message === undefined ? [] : [failure(message)];
    },
  };
}

function toolSignals(subtype: string, id: string, call: Readonly<Record<string, unknown>>): AgentSignal[] {
  const [key, value] = Object.entries(call).find(([name]) => name.endsWith('ToolCall')) ?? [];
  const { args, result } = callSchema.safeParse(value).data ?? {};
  if (subtype === 'completed')
    return [{ is: 'tool-end', id, isError: result !== undefined && !('success' in result) }];
  if (subtype !== 'started') return [];
  const mcp = key === 'mcpToolCall' ? mcpArgsSchema.safeParse(args).data : undefined;
  const tool = mcp?.toolName ?? mcp?.name ?? key?.replace(/ToolCall$/, '') ?? 'tool';
  return [{ is: 'tool-start', id, tool, about: toolAbout(mcp?.args ?? args) }];
}

function usageOf(usage: z.output<typeof usageSchema>): AgentSignal {
  const { inputTokens, outputTokens: output, cacheReadTokens: cached, cacheWriteTokens } = usage;
  return { is: 'usage', tokens: { input: inputTokens + cacheWriteTokens, output, cached } };
}

function failure(message: string): AgentSignal {
  if (USED_UP.test(message)) return { is: 'limit', message };
  return { is: 'error', class: errorClassOf(message), message };
}
