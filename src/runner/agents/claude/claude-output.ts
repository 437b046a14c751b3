import { z } from 'zod';
import type { OutputParser } from '../agent-adapter.ts';
import type { AgentErrorClass, AgentSignal } from '../output/agent-signal.ts';
import { ClaudeUsage } from './claude-usage.ts';
import { errorClassOf } from '../output/error-class.ts';
import { readJsonLine, reads } from '../output/json-line.ts';
import { toolAbout } from '../output/tool-about.ts';
import { toolDone, toolFailed } from '../output/tool-end.ts';

const systemSchema = z.discriminatedUnion('subtype', [
  z.looseObject({
    subtype: z.literal('init'),
    session_id: z.string().min(1),
    mcp_servers: z.array(z.looseObject({ name: z.string(), status: z.string() })).default([]),
  }),
  z.looseObject({
    subtype: z.literal('api_retry'),
    attempt: z.int(),
    max_retries: z.int(),
    error_status: z.int().nullish(),
    error: z.string().default('no answer'),
  }),
]);

const contentSchema = z.array(
  z.looseObject({
    type: z.string(),
    text: z.string().optional(),
    id: z.string().optional(),
    name: z.string().optional(),
    input: z.unknown().optional(),
    tool_use_id: z.string().optional(),
    is_error: z.boolean().nullish(),
    content: z.unknown().optional(),
  }),
);

type Content = z.output<typeof contentSchema>[number];

const limitSchema = z.looseObject({
  rate_limit_info: z.looseObject({
    status: z.string(),
    resetsAt: z.number().optional(),
    isUsingOverage: z.boolean().default(false),
  }),
});

const resultSchema = z.looseObject({
  subtype: z.string(),
  is_error: z.boolean().default(false),
  result: z.string().optional(),
  errors: z.array(z.string()).default([]),
  api_error_status: z.int().nullish(),
});

/** Reads what `claude -p --output-format stream-json` prints. */
export function createClaudeParser(): OutputParser {
  const usage = new ClaudeUsage();
  /** When the limit of its plan ends, ms since the epoch. */
  let resetsAt: number | undefined;

  const readers = {
    system: (record: unknown) => {
      // It has many more of them.
      const { data } = systemSchema.safeParse(record);
      if (!data) return [];
      return data.subtype === 'init' ? initSignals(data) : [retrySignal(data)];
    },
    assistant: reads(
      z.looseObject({
        message: z.looseObject({ content: contentSchema }),
        is_api_error_message: z.boolean().default(false),
      }),
      (record) =>
        // An error that the result tells of, too.
        record.is_api_error_message
          ? []
          : [...record.message.content.flatMap(saidBy), ...usage.ofMessage(record.message)],
    ),
    user: reads(
      z.looseObject({ message: z.looseObject({ content: z.union([contentSchema, z.string()]) }) }),
      ({ message: { content } }) => (typeof content === 'string' ? [] : content.flatMap(resultOf)),
    ),
    rate_limit_event: reads(limitSchema, ({ rate_limit_info: { status, resetsAt: atS, isUsingOverage } }) => {
      const isRefused = status === 'rejected' && !isUsingOverage;
      resetsAt = isRefused && atS !== undefined ? atS * 1_000 : undefined;
      return [];
    }),
    result: reads(resultSchema, (record) => [
      ...usage.ofResult(record),
      ...(record.is_error ? [failureOf(record, resetsAt)] : []),
      { is: 'turn-over' },
    ]),
  };
  return { line: (line) => readJsonLine(line, readers) };
}

function initSignals(init: z.output<typeof systemSchema> & { subtype: 'init' }): AgentSignal[] {
  const clifford = init.mcp_servers.find(({ name }) => name === 'clifford');
  return [{ is: 'session', sessionId: init.session_id }, mcpSignal(clifford?.status)];
}

function mcpSignal(status = 'not loaded'): AgentSignal {
  if (status === 'connected' || status === 'pending') return { is: 'mcp', status };
  return { is: 'mcp', status: 'failed', detail: status };
}

/** It tries again by itself, up to ten times within minutes. */
function retrySignal(retry: z.output<typeof systemSchema> & { subtype: 'api_retry' }): AgentSignal {
  const { attempt, max_retries: most, error, error_status: status } = retry;
  const said = status === undefined || status === null ? error : `${status} ${error}`;
  return { is: 'error', class: classOf(status, error), message: `${said}, retry ${attempt} of ${most}` };
}

function saidBy({ type, text = '', id = '', name = '', input }: Content): AgentSignal[] {
  if (type === 'text') return text === '' ? [] : [{ is: 'text', text }];
  return type === 'tool_use' ? [{ is: 'tool-start', id, tool: name, about: toolAbout(input) }] : [];
}

function resultOf({ type, tool_use_id: id = '', is_error: isError, content }: Content): AgentSignal[] {
  if (type !== 'tool_result') return [];
  return [isError ? toolFailed(id, content) : toolDone(id)];
}

/** Its result is an error's text only then: else it is what the model wrote. */
function failureOf(
  { subtype, result, errors, api_error_status: status }: z.output<typeof resultSchema>,
  resetsAt: number | undefined,
): AgentSignal {
  const message = errors.join('; ') || result || subtype;
  if (status === 429) return { is: 'limit', message, resetsAt };
  return { is: 'error', class: classOf(status, message), message };
}

function classOf(status: number | null | undefined, message: string): AgentErrorClass {
  if (status === undefined || status === null) return errorClassOf(message);
  if (status === 401 || status === 403) return 'auth';
  if (status === 429 || status >= 500) return 'network';
  return 'model';
}
