import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { fullName, type Entry } from './conversation.ts';
import { retryAfter, statuses, type Protocol, type Refusal } from './protocol.ts';
import { pieces, type Reply } from './reply.ts';
import type { Failure } from './script.ts';

const content = z
  .union([z.string(), z.array(z.looseObject({ text: z.string().optional() })), z.null()])
  .optional()
  .transform((value) =>
    typeof value === 'string' ? value : (value ?? []).map(({ text }) => text ?? '').join('\n'),
  );

const requestSchema = z.object({
  model: z.string(),
  stream: z.boolean().optional(),
  messages: z.array(
    z.object({
      role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
      content,
      tool_calls: z.array(z.object({ id: z.string(), function: z.object({ name: z.string() }) })).optional(),
      tool_call_id: z.string().optional(),
    }),
  ),
  tools: z
    .array(
      z.object({
        function: z.object({
          name: z.string(),
          parameters: z.looseObject({ properties: z.record(z.string(), z.unknown()).optional() }).optional(),
        }),
      }),
    )
    .optional(),
});

type Message = z.infer<typeof requestSchema>['messages'][number];

/** OpenAI's chat completions: OpenCode and Copilot with a provider of one's own. */
export const chatCompletions: Protocol = {
  name: 'chat',
  path: /\/chat\/completions$/,
  read(body) {
    const { model, stream = false, messages, tools = [] } = requestSchema.parse(body);
    return {
      model,
      stream,
      tools: tools.map(({ function: { name, parameters } }) => ({
        name,
        kind: 'function',
        parameters: Object.keys(parameters?.properties ?? {}),
      })),
      entries: messages.flatMap(entryOf),
    };
  },
  json: (reply) => ({
    ...head('chat.completion'),
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: reply.text === '' ? null : reply.text, ...toolCalls(reply) },
        finish_reason: finishReason(reply),
      },
    ],
    usage: usageOf(reply),
  }),
  events(reply) {
    const common = head('chat.completion.chunk');
    const chunk = (delta: object, finish_reason: string | null = null) => ({
      data: { ...common, choices: [{ index: 0, delta, finish_reason }] },
    });
    return [
      chunk({ role: 'assistant', content: '' }),
      ...pieces(reply.text).map((text) => chunk({ content: text })),
      ...(reply.calls.length === 0 ? [] : [chunk(toolCalls(reply))]),
      chunk({}, finishReason(reply)),
      { data: { ...common, choices: [], usage: usageOf(reply) } },
      { data: '[DONE]' },
    ];
  },
  refuse,
};

function entryOf(message: Message): Entry[] {
  const { role, content: text, tool_calls: calls = [], tool_call_id: callId = '' } = message;
  if (role === 'user') return [{ role, text }];
  if (role === 'tool') return [{ role, callId, text, isError: false }];
  if (role !== 'assistant') return [];
  return [{ role, text, calls: calls.map((call) => ({ id: call.id, tool: call.function.name })) }];
}

function head(object: string) {
  return { id: `chatcmpl-${randomUUID()}`, object, created: 1_800_000_000, model: 'scripted' };
}

function toolCalls({ calls }: Reply): object {
  if (calls.length === 0) return {};
  return {
    tool_calls: calls.map(({ id, tool, args }, index) => ({
      index,
      id,
      type: 'function',
      function: { name: fullName(tool), arguments: JSON.stringify(args) },
    })),
  };
}

const finishReason = ({ calls }: Reply): string => (calls.length > 0 ? 'tool_calls' : 'stop');

function usageOf({ usage: { input, cached, output } }: Reply) {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
  };
}

const texts: Readonly<Record<Failure['kind'], { type: string; code: string | null; message: string }>> = {
  'usage-limit': {
    type: 'insufficient_quota',
    code: 'insufficient_quota',
    message: 'You exceeded your current quota, please check your plan and billing details.',
  },
  'rate-limit': {
    type: 'requests',
    code: 'rate_limit_exceeded',
    message: 'Rate limit reached for requests per min. Please try again later.',
  },
  unauthorized: {
    type: 'invalid_request_error',
    code: 'invalid_api_key',
    message: 'Incorrect API key provided: sk-dummy.',
  },
  'server-error': {
    type: 'server_error',
    code: null,
    message: 'The server had an error processing your request.',
  },
  overloaded: {
    type: 'server_error',
    code: null,
    message: 'The engine is currently overloaded, please try again later.',
  },
};

function refuse(failure: Failure): Refusal {
  return {
    status: statuses[failure.kind],
    headers: retryAfter(failure),
    body: { error: { param: null, ...texts[failure.kind] } },
  };
}
