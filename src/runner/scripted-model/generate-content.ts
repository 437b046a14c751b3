import { z } from 'zod';
import { fullName, type Entry } from './conversation.ts';
import { statuses, type Protocol, type Refusal } from './protocol.ts';
import { pieces, type Reply } from './reply.ts';
import type { Failure } from './script.ts';

const partSchema = z.object({
  text: z.string().optional(),
  functionCall: z.object({ id: z.string().optional(), name: z.string() }).optional(),
  functionResponse: z
    .object({ id: z.string().optional(), name: z.string(), response: z.record(z.string(), z.unknown()) })
    .optional(),
});

const requestSchema = z.object({
  contents: z.array(z.object({ role: z.string().optional(), parts: z.array(partSchema) })),
  tools: z
    .array(
      z.object({
        functionDeclarations: z
          .array(
            z.object({
              name: z.string(),
              parametersJsonSchema: z
                .looseObject({ properties: z.record(z.string(), z.unknown()).optional() })
                .optional(),
            }),
          )
          .optional(),
      }),
    )
    .optional(),
});

/** Gemini's `generateContent`: Gemini CLI. */
export const generateContent: Protocol = {
  name: 'generate-content',
  path: /:(generate|streamGenerate)Content$/,
  counts: { path: /:countTokens$/, body: { totalTokens: 1_000 } },
  read(body, path) {
    const { contents, tools = [] } = requestSchema.parse(body);
    return {
      model: /models\/([^:]+):/.exec(path)?.[1] ?? '',
      stream: path.endsWith(':streamGenerateContent'),
      tools: tools.flatMap(({ functionDeclarations = [] }) =>
        functionDeclarations.map(({ name, parametersJsonSchema: schema }) => ({
          name,
          kind: 'function' as const,
          parameters: Object.keys(schema?.properties ?? {}),
        })),
      ),
      entries: contents.flatMap(({ role, parts }) => parts.flatMap((part) => entryOf(role, part))),
    };
  },
  json: (reply) => chunk([...(reply.text === '' ? [] : [{ text: reply.text }]), ...calls(reply)], reply),
  events: (reply) => [
    ...pieces(reply.text).map((text) => ({ data: chunk([{ text }]) })),
    { data: chunk(reply.calls.length === 0 ? [{ text: '' }] : calls(reply), reply) },
  ],
  refuse,
};

function entryOf(role: string | undefined, part: z.infer<typeof partSchema>): Entry[] {
  if (part.functionResponse) {
    const { id, name, response } = part.functionResponse;
    const { output, error } = response;
    const said = error ?? output ?? response;
    const text = typeof said === 'string' ? said : JSON.stringify(said);
    return [{ role: 'tool', callId: id ?? name, text, isError: error !== undefined }];
  }
  if (part.functionCall) {
    const { id, name } = part.functionCall;
    return [{ role: 'assistant', text: '', calls: [{ id: id ?? name, tool: name }] }];
  }
  if (part.text === undefined) return [];
  if (role === 'model') return [{ role: 'assistant', text: part.text, calls: [] }];
  return [{ role: 'user', text: part.text }];
}

function calls(reply: Reply): object[] {
  return reply.calls.map(({ id, tool, args }) => ({ functionCall: { id, name: fullName(tool), args } }));
}

/** One piece of a stream, or all of an answer; the last has its end and what it took. */
function chunk(parts: readonly object[], last?: Reply): object {
  return {
    candidates: [{ index: 0, content: { role: 'model', parts }, ...(last ? { finishReason: 'STOP' } : {}) }],
    modelVersion: 'scripted',
    responseId: 'scripted',
    ...(last ? { usageMetadata: usageOf(last) } : {}),
  };
}

function usageOf({ usage: { input, cached, output } }: Reply) {
  return {
    promptTokenCount: input,
    cachedContentTokenCount: cached,
    candidatesTokenCount: output,
    totalTokenCount: input + output,
  };
}

const errors: Readonly<Record<Failure['kind'], { status: string; message: string }>> = {
  'usage-limit': {
    status: 'RESOURCE_EXHAUSTED',
    message: 'You exceeded your current quota, please check your plan and billing details.',
  },
  'rate-limit': { status: 'RESOURCE_EXHAUSTED', message: 'Resource has been exhausted (e.g. check quota).' },
  unauthorized: { status: 'UNAUTHENTICATED', message: 'API key not valid. Please pass a valid API key.' },
  'server-error': { status: 'INTERNAL', message: 'An internal error has occurred.' },
  overloaded: { status: 'UNAVAILABLE', message: 'The model is overloaded. Please try again later.' },
};

const google = 'type.googleapis.com/google.rpc';

function refuse({ kind, retryAfterS }: Failure): Refusal {
  const quotaId = 'GenerateRequestsPerDayPerProjectPerModel-FreeTier';
  const details = [
    ...(kind === 'usage-limit' ? [{ '@type': `${google}.QuotaFailure`, violations: [{ quotaId }] }] : []),
    ...(retryAfterS === undefined ? [] : [{ '@type': `${google}.RetryInfo`, retryDelay: `${retryAfterS}s` }]),
  ];
  const code = statuses[kind];
  return { status: code, headers: {}, body: { error: { code, ...errors[kind], details } } };
}
