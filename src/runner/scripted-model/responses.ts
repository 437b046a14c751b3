import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Call } from './call-for.ts';
import { fullName, type Entry, type OfferedTool } from './conversation.ts';
import { retryAfter, statuses, type Protocol, type Refusal, type ServerEvent } from './protocol.ts';
import { pieces, type Reply } from './reply.ts';
import type { Failure } from './script.ts';

const output = z
  .union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))])
  .transform((value) => (typeof value === 'string' ? value : value.map(({ text }) => text ?? '').join('\n')));

const itemSchema = z.union([
  z.object({ type: z.literal('message').optional(), role: z.string(), content: output }),
  z.object({
    type: z.enum(['function_call', 'custom_tool_call']),
    call_id: z.string(),
    name: z.string(),
    namespace: z.string().nullish(),
  }),
  z.object({
    type: z.enum(['function_call_output', 'custom_tool_call_output']),
    call_id: z.string(),
    output,
  }),
  // Reasoning, calls of the provider's own tools and whatever else is no business of a script.
  z.object({ type: z.string() }),
]);

const functionSchema = z.object({
  type: z.enum(['function', 'custom']),
  name: z.string(),
  parameters: z.looseObject({ properties: z.record(z.string(), z.unknown()).optional() }).optional(),
});

const toolSchema = z.union([
  functionSchema,
  z.object({ type: z.literal('namespace'), name: z.string(), tools: z.array(functionSchema) }),
  z.object({ type: z.string() }),
]);

const requestSchema = z.object({
  model: z.string(),
  stream: z.boolean().optional(),
  input: z.array(itemSchema),
  tools: z.array(toolSchema).optional(),
});

/** OpenAI's responses: Codex. */
export const responses: Protocol = {
  name: 'responses',
  path: /\/responses$/,
  read(body) {
    const { model, stream = false, input, tools = [] } = requestSchema.parse(body);
    const mayEscalate = input.some(
      (item) => 'role' in item && item.role === 'developer' && item.content.includes('# Escalation Requests'),
    );
    return { model, stream, tools: tools.flatMap(toolsOf), entries: input.flatMap(entryOf), mayEscalate };
  },
  json: (reply) => response(`resp_${randomUUID()}`, 'completed', itemsOf(reply), reply),
  events(reply) {
    const id = `resp_${randomUUID()}`;
    const items = itemsOf(reply);
    const of = (event: string, data: object): ServerEvent => ({ event, data: { type: event, ...data } });
    return [
      of('response.created', { response: response(id, 'in_progress', [], undefined) }),
      ...items.flatMap((item, output_index) => [
        of('response.output_item.added', { output_index, item }),
        ...(item.type === 'message'
          ? pieces(reply.text).map((delta) =>
              of('response.output_text.delta', { output_index, item_id: item.id, content_index: 0, delta }),
            )
          : []),
        of('response.output_item.done', { output_index, item }),
      ]),
      of('response.completed', { response: response(id, 'completed', items, reply) }),
    ];
  },
  refuse,
};

function toolsOf(tool: z.infer<typeof toolSchema>): OfferedTool[] {
  if ('tools' in tool) return tool.tools.map((inner) => ({ ...offered(inner), namespace: tool.name }));
  return 'name' in tool ? [offered(tool)] : [];
}

function offered({ name, type, parameters }: z.infer<typeof functionSchema>): OfferedTool {
  return {
    name,
    kind: type === 'custom' ? 'freeform' : 'function',
    parameters: Object.keys(parameters?.properties ?? {}),
  };
}

function entryOf(item: z.infer<typeof itemSchema>): Entry[] {
  if ('role' in item) {
    if (item.role === 'user') return [{ role: 'user', text: item.content }];
    return item.role === 'assistant' ? [{ role: 'assistant', text: item.content, calls: [] }] : [];
  }
  if ('output' in item) return [{ role: 'tool', callId: item.call_id, text: item.output, isError: false }];
  if (!('call_id' in item)) return [];
  const { name, namespace } = item;
  const tool = fullName({ name, ...(namespace ? { namespace } : {}), kind: 'function', parameters: [] });
  return [{ role: 'assistant', text: '', calls: [{ id: item.call_id, tool }] }];
}

function itemsOf({ text, calls }: Reply) {
  const message = {
    type: 'message',
    id: `msg_${randomUUID()}`,
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text, annotations: [] }],
  };
  return [...(text === '' ? [] : [message]), ...calls.map(callItem)];
}

function callItem({ id, tool, args }: Call) {
  const common = { id: `fc_${randomUUID()}`, call_id: id, name: tool.name, status: 'completed' };
  if (tool.kind === 'freeform') return { type: 'custom_tool_call', ...common, input: JSON.stringify(args) };
  const namespace = tool.namespace === undefined ? {} : { namespace: tool.namespace };
  return { type: 'function_call', ...common, ...namespace, arguments: JSON.stringify(args) };
}

function response(id: string, status: string, items: readonly object[], reply: Reply | undefined): object {
  const { input, cached, output: written } = reply?.usage ?? { input: 0, cached: 0, output: 0 };
  const usage = {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: written,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + written,
  };
  return {
    id,
    object: 'response',
    created_at: 1_800_000_000,
    status,
    model: 'scripted',
    output: items,
    usage: reply ? usage : null,
  };
}

function refuse(failure: Failure): Refusal {
  return { status: statuses[failure.kind], headers: retryAfter(failure), body: { error: errorOf(failure) } };
}

function errorOf({ kind, resetsAt }: Failure): object {
  switch (kind) {
    case 'usage-limit':
      return {
        type: 'usage_limit_reached',
        message: 'The usage limit has been reached',
        plan_type: 'plus',
        ...(resetsAt === undefined ? {} : { resets_at: resetsAt }),
      };
    case 'rate-limit':
      return {
        type: 'requests',
        code: 'rate_limit_exceeded',
        message: 'Rate limit reached for requests per min. Please try again later.',
      };
    case 'unauthorized':
      return {
        type: 'invalid_request_error',
        code: 'invalid_api_key',
        message: 'Incorrect API key provided: sk-dummy.',
      };
    case 'server-error':
      return { type: 'server_error', message: 'The server had an error processing your request.' };
    case 'overloaded':
      return { type: 'server_error', code: 'server_is_overloaded', message: 'The server is overloaded.' };
  }
}
