import { agentOfServer } from '../../events/agent-server.ts';
import type { EventData, EventType } from '../../events/catalog.ts';
import { taskOf, type StoredEvent } from '../../events/envelope.ts';
import { nextWord, type CallWord } from './call-word.ts';

/** A call of a tool, and what became of it. */
export type ToolCallView = {
  readonly callId: string;
  /** When it was made, RFC 3339. */
  readonly at: string;
  /** Version of the event that says so. */
  readonly version: number;
  readonly task: string | undefined;
  /** The run whose agent made it. */
  readonly run: string | undefined;
  /** The agent whose own tool it is; `undefined`: a server's. */
  readonly agent: string | undefined;
  readonly server: string;
  /** Of an agent's own tool: its kind, `execute` or `edit`. */
  readonly tool: string;
  /** What the agent calls it. */
  readonly title: string | undefined;
  readonly args: EventData<'tool.requested'>['args'];
  readonly paths: readonly string[];
  readonly is: CallWord;
  /** The rule that allowed or denied it. */
  readonly rule: string | undefined;
  /** The human who did. */
  readonly by: string | undefined;
  /** The request by which they did. */
  readonly request: string | undefined;
  readonly returned: CallResult | undefined;
  /** Why it failed. */
  readonly error: string | undefined;
};

/** What came back of a call, but for the words. */
export type CallResult = Omit<EventData<'tool.returned'>, 'callId'>;

/** The calls that these events tell of, in the order they were made. Events of other calls than those say nothing. */
export function toolCalls(events: readonly StoredEvent[]): readonly ToolCallView[] {
  const calls = new Map<string, ToolCallView>();
  const change = (callId: string, over: Partial<ToolCallView>) => {
    const call = calls.get(callId);
    if (call) calls.set(callId, { ...call, ...over });
  };
  for (const event of events.filter(isAboutCall)) {
    switch (event.type) {
      case 'tool.requested':
        calls.set(event.data.callId, requested(event));
        break;
      case 'tool.allowed': {
        const { callId, rule, by, requestId: request } = event.data;
        change(callId, { is: 'allowed', rule, by, request });
        break;
      }
      case 'tool.denied': {
        const { callId, rule, by, requestId: request } = event.data;
        change(callId, { is: 'denied', rule, by, request });
        break;
      }
      case 'tool.withheld':
        change(event.data.callId, { is: 'late' });
        break;
      case 'tool.returned':
        change(event.data.callId, returned(event.data, calls.get(event.data.callId)));
        break;
      case 'tool.failed':
        change(event.data.callId, {
          is: nextWord(calls.get(event.data.callId)?.is ?? 'open', 'failed'),
          error: event.data.error,
        });
        break;
      case 'tool.unasked':
        change(event.data.callId, { is: 'unasked', rule: event.data.rule });
        break;
      case 'tool.pinned':
        break;
    }
  }
  return [...calls.values()];
}

type CallEvent = StoredEvent<Extract<EventType, `tool.${string}`>>;

function isAboutCall(event: StoredEvent): event is CallEvent {
  return event.type.startsWith('tool.');
}

function requested({ subject, time, streamversion, data }: StoredEvent<'tool.requested'>): ToolCallView {
  const { callId, server, tool, args, title, paths = [], runId } = data;
  const agent = agentOfServer(server);
  return {
    callId,
    at: time,
    version: streamversion,
    task: taskOf(subject),
    run: runId,
    agent,
    server,
    tool,
    title,
    args,
    paths,
    is: 'open',
    rule: undefined,
    by: undefined,
    request: undefined,
    returned: undefined,
    error: undefined,
  };
}

function returned(data: EventData<'tool.returned'>, call: ToolCallView | undefined): Partial<ToolCallView> {
  const { callId: _, ...result } = data;
  return { returned: result, is: nextWord(call?.is ?? 'open', result.isError ? 'failed' : 'done') };
}
