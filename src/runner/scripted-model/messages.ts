import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { fullName, type Entry } from './conversation.ts';
import { retryAfter, statuses, type Protocol, type Refusal, type ServerEvent } from './protocol.ts';
import { pieces, type Reply } from './reply.ts';
import type { Failure } from './script.ts';

const textOf = z
  .union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))])
  .transform((value) => (typeof value === 'string' ? value : value.map(({ text }) => text ?? '').join('\n')));

const blockSchema = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('tool_use'), id: z.string(), name: z.string() }),
  z.object({
    type: z.literal('tool_result'),
    tool_use_id: z.string(),
    content: textOf.optional(),
    is_error: z.boolean().optional(),
  }),
  z.object({ type: z.string() }),
]);

const requestSchema = z.object({
  model: z.string(),
  stream: z.boolean().optional(),
  messages: z.array(
    z.object({
      role: z.string(),
      content: z.union([
        z.string().transform((text) => [{ type: 'text' as const, text }]),
        z.array(blockSchema),
      ]),
    }),
  ),
  tools: z
    .array(
      z.object({
        name: z.string(),
        input_schema: z.looseObject({ properties: z.record(z.string(), z.unknown()).optional() }).optional(),
        defer_loading: z.boolean().optional(),
      }),
    )
    .optional(),
});

/** Anthropic's messages: Claude Code. */
export const messages: Protocol = {
  name: 'messages',
  path: /\/v1\/messages$/,
  counts: { path: /\/v1\/messages\/count_tokens$/, body: { input_tokens: 1_000 } },
  read(body) {
    const { model, stream = false, messages: said, tools = [] } = requestSchema.parse(body);
    return {
      model,
      stream,
      tools: tools.map(({ name, input_schema: schema }) => ({
        name,
        kind: 'function',
        parameters: Object.keys(schema?.properties ?? {}),
      })),
      entries: said.flatMap(({ role, content }) => content.flatMap((block) => entryOf(role, block))),
    };
  },
  json: (reply) => ({ ...message(reply), content: blocks(reply), stop_reason: stopReason(reply) }),
  events(reply) {
    const of = (type: string, data: object): ServerEvent => ({ event: type, data: { type, ...data } });
    return [
      of('message_start', { message: { ...message(reply), content: [], stop_reason: null } }),
      ...blocks(reply).flatMap((block, index) => [
        of('content_block_start', { index, content_block: emptied(block) }),
        ...deltas(block).map((delta) => of('content_block_delta', { index, delta })),
        of('content_block_stop', { index }),
      ]),
      of('message_delta', {
        delta: { stop_reason: stopReason(reply), stop_sequence: null },
        usage: { output_tokens: reply.usage.output },
      }),
      of('message_stop', {}),
    ];
  },
  refuse,
};

function entryOf(role: string, block: z.infer<typeof blockSchema>): Entry[] {
  if ('tool_use_id' in block) {
    const { tool_use_id: callId, content: text = '', is_error: isError = false } = block;
    return [{ role: 'tool', callId, text, isError }];
  }
  if ('name' in block) return [{ role: 'assistant', text: '', calls: [{ id: block.id, tool: block.name }] }];
  if (!('text' in block)) return [];
  if (role === 'user') return [{ role, text: block.text }];
  return role === 'assistant' ? [{ role, text: block.text, calls: [] }] : [];
}

type Block = { type: 'text'; text: string } | { type: 'tool_use'; id: string; name: string; input: object };

function blocks({ text, calls }: Reply): Block[] {
  return [
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...calls.map(({ id, tool, args }) => ({
      type: 'tool_use' as const,
      id: id.replace(/^call_/, 'toolu_'),
      name: fullName(tool),
      input: args,
    })),
  ];
}

const emptied = (block: Block): Block =>
  block.type === 'text' ? { ...block, text: '' } : { ...block, input: {} };

function deltas(block: Block): object[] {
  if (block.type === 'text') return pieces(block.text).map((text) => ({ type: 'text_delta', text }));
  return [{ type: 'input_json_delta', partial_json: JSON.stringify(block.input) }];
}

function message({ usage }: Reply) {
  return {
    id: `msg_${randomUUID().replaceAll('-', '')}`,
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    stop_sequence: null,
    usage: {
      input_tokens: usage.input,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: usage.cached,
      output_tokens: usage.output,
    },
  };
}

const stopReason = ({ calls }: Reply): string => (calls.length > 0 ? 'tool_use' : 'end_turn');

const errors: Readonly<Record<Failure['kind'], { type: string; message: string }>> = {
  'usage-limit': {
    type: 'rate_limit_error',
    message: 'This request would exceed your account’s rate limit. Please try again later.',
  },
  'rate-limit': {
    type: 'rate_limit_error',
    message: 'Number of request tokens has exceeded your per-minute rate limit',
  },
  unauthorized: { type: 'authentication_error', message: 'invalid x-api-key' },
  'server-error': { type: 'api_error', message: 'Internal server error' },
  overloaded: { type: 'overloaded_error', message: 'Overloaded' },
};

function refuse(failure: Failure): Refusal {
  return {
    status: failure.kind === 'overloaded' ? 529 : statuses[failure.kind],
    headers: { ...retryAfter(failure), ...unifiedLimit(failure) },
    body: { type: 'error', error: errors[failure.kind], request_id: 'req_scripted' },
  };
}

/** What the limit of a subscription looks like: the plan's window is used up until an instant. */
function unifiedLimit({ kind, resetsAt }: Failure): Record<string, string> {
  if (kind !== 'usage-limit' || resetsAt === undefined) return {};
  const prefix = 'anthropic-ratelimit-unified';
  return {
    [`${prefix}-status`]: 'rejected',
    [`${prefix}-reset`]: String(resetsAt),
    [`${prefix}-representative-claim`]: 'five_hour',
    [`${prefix}-5h-status`]: 'rejected',
    [`${prefix}-5h-reset`]: String(resetsAt),
    [`${prefix}-5h-utilization`]: '1.0',
  };
}
