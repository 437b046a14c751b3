import { z } from 'zod';
import type { OutputParser } from '../agent-adapter.ts';
import type { AgentSignal } from '../output/agent-signal.ts';
import { errorClassOf } from '../output/error-class.ts';
import { readJsonLine, reads } from '../output/json-line.ts';
import { toolAbout } from '../output/tool-about.ts';
import { exitCodeText, toolDone, toolFailed } from '../output/tool-end.ts';

const failure = z.looseObject({ message: z.string() });

const status = z.string().optional();

/** What it says and what it does. */
const known = z.discriminatedUnion('type', [
  z.looseObject({ id: z.string(), type: z.literal('agent_message'), text: z.string() }),
  // Not the end of anything: a remark.
  z.looseObject({ id: z.string(), type: z.literal('error'), message: z.string() }),
  z.looseObject({
    id: z.string(),
    type: z.literal('mcp_tool_call'),
    server: z.string(),
    tool: z.string(),
    arguments: z.unknown(),
    error: z.looseObject({ message: z.string() }).nullish().catch(undefined),
    result: z.looseObject({ content: z.unknown().optional() }).nullish().catch(undefined),
    status,
  }),
  z.looseObject({
    id: z.string(),
    type: z.literal('command_execution'),
    command: z.string(),
    exit_code: z.number().nullish().catch(undefined),
    status,
  }),
  z.looseObject({
    id: z.string(),
    type: z.literal('file_change'),
    changes: z.array(z.looseObject({ path: z.string() })),
    status,
  }),
  z.looseObject({ id: z.string(), type: z.literal('web_search'), query: z.string(), status }),
]);

const knownTypes = new Set<string>(known.options.map(({ shape }) => shape.type.value));

/** Items of other types, e.g. its thoughts, say nothing here. */
const other = z
  .looseObject({ id: z.string(), type: z.string().refine((type) => !knownTypes.has(type)) })
  .transform(({ id }) => ({ id, type: 'other' as const }));

const itemSchema = z.union([known, other]);

type Item = z.output<typeof itemSchema>;

/** What it calls a call that did not do what it should. */
const FAILED: ReadonlySet<string> = new Set(['failed', 'declined']);

/** Said for every try of a request that goes on: `Reconnecting... 2/5 (…)`. */
const RETRYING = /^Reconnecting\.\.\./;

/** Its plan is used up, or the provider refuses more for so long that it gives up. */
const LIMITED = /usage limit|quota exceeded|out of credits|last status: 429/i;

/**
 * Reads what `codex exec --json` prints.
 *
 * @param now - The time in ms since the epoch: a limit that ends today is told without the day.
 */
export function createCodexParser(now: () => number = Date.now): OutputParser {
  /** Calls that have begun and not ended. */
  const open = new Set<string>();
  let lastError: string | undefined;

  /** What ends a turn is said twice: as an error, and as the reason the turn failed. */
  const fail = (message: string): AgentSignal[] => {
    if (message === lastError) return [];
    lastError = message;
    if (!LIMITED.test(message)) return [{ is: 'error', class: errorClassOf(message), message }];
    const resetsAt = codexReset(message, now());
    return [{ is: 'limit', message, resetsAt }];
  };

  const readers = {
    'thread.started': reads(z.looseObject({ thread_id: z.string().min(1) }), ({ thread_id: sessionId }) => [
      { is: 'session', sessionId },
    ]),
    'item.started': reads(z.looseObject({ item: itemSchema }), ({ item }) => {
      const call = callOf(item);
      if (!call) return [];
      open.add(item.id);
      return [call];
    }),
    'item.completed': reads(z.looseObject({ item: itemSchema }), ({ item }) => {
      if (item.type === 'agent_message') return [{ is: 'text', text: item.text }];
      if (item.type === 'error') return [{ is: 'text', text: item.message }];
      const call = callOf(item);
      if (!call) return [];
      const end = endOf(item);
      return open.delete(item.id) ? [end] : [call, end];
    }),
    error: reads(failure, ({ message }) =>
      RETRYING.test(message) ? [{ is: 'text', text: message }] : fail(message),
    ),
    'turn.failed': reads(z.looseObject({ error: failure }), ({ error }) => [
      ...fail(error.message),
      { is: 'turn-over' },
    ]),
    'turn.completed': reads(
      z.looseObject({
        usage: z.looseObject({
          input_tokens: z.int().nonnegative(),
          cached_input_tokens: z.int().nonnegative().default(0),
          output_tokens: z.int().nonnegative(),
        }),
      }),
      ({ usage }) => {
        const { input_tokens: input, cached_input_tokens: cached, output_tokens: output } = usage;
        const tokens = { input: Math.max(0, input - cached), output, cached };
        return [{ is: 'usage', tokens, isSessionTotal: true }, { is: 'turn-over' }];
      },
    ),
  };
  return { line: (line) => readJsonLine(line, readers), errorLine };
}

/** The end of a call. */
function endOf(item: Item): AgentSignal {
  const hasFailed = 'status' in item && typeof item.status === 'string' && FAILED.has(item.status);
  if (!hasFailed) return toolDone(item.id);
  switch (item.type) {
    case 'mcp_tool_call':
      return toolFailed(item.id, item.error?.message, item.result?.content);
    case 'command_execution':
      return toolFailed(item.id, exitCodeText(item.exit_code));
    default:
      return toolFailed(item.id);
  }
}

/** A call, if the item is one. */
function callOf(item: Item): AgentSignal | undefined {
  const { id } = item;
  switch (item.type) {
    case 'mcp_tool_call':
      return {
        is: 'tool-start',
        id,
        tool: `mcp__${item.server}__${item.tool}`,
        about: toolAbout(item.arguments),
      };
    case 'command_execution':
      return { is: 'tool-start', id, tool: 'shell', about: toolAbout(withoutShell(item.command)) };
    case 'file_change':
      return {
        is: 'tool-start',
        id,
        tool: 'edit',
        about: toolAbout(item.changes.map(({ path }) => path).join(' ')),
      };
    case 'web_search':
      return { is: 'tool-start', id, tool: 'web_search', about: toolAbout(item.query) };
    default:
      return undefined;
  }
}

/** The command of `/bin/bash -lc 'cat a.txt'`, where it has no quotes of its own. */
function withoutShell(command: string): string {
  return /^\/\S+ -l?c '([^']+)'$/.exec(command)?.[1] ?? command;
}

/** What stands in front of the MCP servers that could not be started, each with its reason. */
const BROKEN_SERVERS = 'MCP servers failed to initialize: ';

/** What it says when it cannot begin: there is no record of that. */
function errorLine(line: string): AgentSignal[] {
  const message = /^Error: (.+)$/.exec(line)?.[1];
  if (message === undefined) return [];
  const at = message.indexOf(BROKEN_SERVERS);
  const [, broken] = (at !== -1 && /\bclifford: (.+)$/.exec(message.slice(at + BROKEN_SERVERS.length))) || [];
  if (broken !== undefined)
    return [{ is: 'mcp', status: 'failed', detail: broken.replace(/ \(code -?\d+\)$/, '') }];
  return [{ is: 'error', class: errorClassOf(message), message }];
}

const MINUTE_MS = 60_000;

/** `try again at Mar 17th, 2030 5:46 PM`, and without the day when it is today. */
const AT = /try again at (?:([A-Z][a-z]{2} \d{1,2})(?:st|nd|rd|th), (\d{4}) )?(\d{1,2}:\d{2} [AP]M)/;

/**
 * When the limit ends that Codex tells of, in ms since the epoch: the end of that minute, since seconds are cut
 * off. It writes the time as it is on this machine's clock. `undefined`: it does not say when.
 *
 * @param now - ms since the epoch.
 */
function codexReset(message: string, now: number): number | undefined {
  const [, day, year, time] = AT.exec(message) ?? [];
  if (time === undefined) return undefined;
  const date = day === undefined ? new Date(now).toDateString() : `${day}, ${year}`;
  const at = Date.parse(`${date} ${time}`);
  return Number.isNaN(at) ? undefined : at + MINUTE_MS;
}
