import { z } from 'zod';
import { readOwnFile } from '../../../lib/files/plain-file.ts';
import { codeOf } from '../../../lib/system-error.ts';
import type { OutputParser } from '../agent-adapter.ts';
import type { AgentErrorClass, AgentSignal } from '../output/agent-signal.ts';
import { errorClassOf } from '../output/error-class.ts';
import { jsonObject, readJsonLine, reads } from '../output/json-line.ts';
import { toolAbout } from '../output/tool-about.ts';
import { exitCodeText, toolDone, toolFailed } from '../output/tool-end.ts';

const data = <T extends z.core.$ZodLooseShape>(shape: T) => z.looseObject({ data: z.looseObject(shape) });

/** Its own words for what went wrong, as far as ours depend on them. */
const classOf: Readonly<Record<string, AgentErrorClass>> = {
  authentication: 'auth',
  authorization: 'auth',
  policy: 'auth',
};

/** Codes of providers that mean that there is nothing left. It tries again all the same, for minutes. */
const USED_UP = /insufficient_quota|quota_exceeded|billing_not_configured/;

/**
 * Reads what `copilot --output-format json` prints.
 *
 * @param usageFile - Where it writes in the end what the session used; `undefined`: nowhere.
 */
export function createCopilotParser(usageFile: string | undefined): OutputParser {
  const readers = {
    'session.mcp_server_status_changed': reads(
      data({ serverName: z.string(), status: z.string(), error: z.string().optional() }),
      (record) => mcpSignal(record.data),
    ),
    'assistant.message': reads(data({ content: z.string() }), ({ data: { content: text } }) =>
      text === '' ? [] : [{ is: 'text', text }],
    ),
    'tool.execution_start': reads(
      data({ toolCallId: z.string(), toolName: z.string(), arguments: z.unknown() }),
      ({ data: { toolCallId: id, toolName: tool, arguments: args } }) => [
        { is: 'tool-start', id, tool, about: toolAbout(args) },
      ],
    ),
    'tool.execution_complete': reads(
      data({
        toolCallId: z.string(),
        success: z.boolean(),
        error: z.looseObject({ message: z.string().optional() }).optional().catch(undefined),
        shellExecution: z.looseObject({ exitCode: z.int().optional() }).optional(),
      }),
      ({ data: { toolCallId: id, success, error, shellExecution } }) => {
        const exited = exitCodeText(shellExecution?.exitCode);
        return [!success || exited !== undefined ? toolFailed(id, error?.message, exited) : toolDone(id)];
      },
    ),
    'model.call_failure': reads(
      data({ statusCode: z.int().optional(), errorMessage: z.string().default('') }),
      ({ data: { statusCode, errorMessage } }) =>
        statusCode === 402 || (statusCode === 429 && USED_UP.test(errorMessage))
          ? [{ is: 'limit', message: providerText(errorMessage) }]
          : [],
    ),
    'session.error': reads(
      data({ errorType: z.string(), message: z.string(), statusCode: z.int().optional() }),
      (record) => [errorSignal(record.data)],
    ),
    'session.warning': reads(data({ message: z.string() }), ({ data: { message: text } }) => [
      { is: 'text', text },
    ]),
    result: reads(z.looseObject({ sessionId: z.string().min(1) }), ({ sessionId }) => [
      { is: 'session', sessionId },
      { is: 'turn-over' },
    ]),
  };
  return {
    line: (line) => readJsonLine(line, readers),
    errorLine: (line) => {
      const message = /^Error: (.+)$/.exec(line)?.[1];
      return message === undefined ? [] : [{ is: 'error', class: errorClassOf(message), message }];
    },
    end: () => (usageFile === undefined ? [] : readUsage(usageFile)),
  };
}

function mcpSignal(server: {
  serverName: string;
  status: string;
  error?: string | undefined;
}): AgentSignal[] {
  const { serverName, status, error } = server;
  if (serverName !== 'clifford') return [];
  if (status === 'connected' || status === 'pending') return [{ is: 'mcp', status }];
  return [{ is: 'mcp', status: 'failed', detail: error ?? status }];
}

function errorSignal(error: {
  errorType: string;
  message: string;
  statusCode?: number | undefined;
}): AgentSignal {
  const { errorType, message, statusCode } = error;
  if (errorType === 'quota' || errorType === 'rate_limit') return { is: 'limit', message };
  return {
    is: 'error',
    class: classOf[errorType] ?? errorClassOf(`${statusCode ?? ''} ${message}`),
    message,
  };
}

/** What a provider says in JSON, in its words. */
function providerText(errorMessage: string): string {
  const message = jsonObject(errorMessage)?.['message'];
  return typeof message === 'string' ? message : errorMessage || 'The quota is used up';
}

const count = z.int().nonnegative().default(0);

const usageSchema = z.looseObject({
  modelMetrics: z.record(
    z.string(),
    z.looseObject({
      usage: z.looseObject({ inputTokens: count, outputTokens: count, cacheReadTokens: count }),
    }),
  ),
});

/** Longest account of what was used that is read, in bytes. */
const MAX_USAGE_BYTES = 1_048_576;

/** What the session used so far. Its records do not say it, and it is gone where the CLI was killed. */
function readUsage(file: string): AgentSignal[] {
  let text: string;
  try {
    text = readOwnFile(file, { maxBytes: MAX_USAGE_BYTES }).toString('utf8');
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return [];
  }
  const used = usageSchema.safeParse(jsonObject(text)).data;
  if (!used) return [];
  const all = Object.values(used.modelMetrics).map(({ usage }) => usage);
  const sum = (of: (one: (typeof all)[number]) => number) => all.reduce((total, one) => total + of(one), 0);
  const cached = sum(({ cacheReadTokens }) => cacheReadTokens);
  const tokens = {
    input: Math.max(0, sum(({ inputTokens }) => inputTokens) - cached),
    output: sum(({ outputTokens }) => outputTokens),
    cached,
  };
  return [{ is: 'usage', tokens, isSessionTotal: true }];
}
