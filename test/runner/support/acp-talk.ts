import { AcpConversation, type AcpOrder } from '../../../src/runner/acp/acp-conversation.ts';
import type { ConversationIo } from '../../../src/runner/agents/agent-adapter.ts';
import type { AgentSignal } from '../../../src/runner/agents/output/agent-signal.ts';
import type { AgentCall, PermissionWord } from '../../../src/gateway/permission/agent-call.ts';

/** A message of the protocol, as far as tests look at it. */
export type Message = {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly prompt?: readonly { readonly text: string }[] };
  readonly result?: { readonly outcome?: { readonly outcome: string; readonly optionId?: string } };
  readonly error?: { readonly code: number; readonly message: string };
};

/** What somebody is asked for: answered by hand. */
export type AskedFor = {
  readonly call: AgentCall;
  readonly id: string;
  readonly isRecorded: boolean;
  readonly signal: AbortSignal;
  readonly decide: (word: PermissionWord) => void;
  readonly fail: (error: Error) => void;
};

const options = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];

const noNotes: ConversationIo['notes'] = {
  wake: () => undefined,
  take: async () => [],
  delivered: () => undefined,
  returned: () => undefined,
};

/** The client's side of a conversation, with the test as the agent. */
export function acpTalk(
  order: Partial<AcpOrder> = {},
  {
    isWanted = () => true,
    write,
    judged,
    permit,
    notes = noNotes,
  }: {
    isWanted?: () => boolean;
    write?: () => Promise<boolean>;
    /** When what was done unasked is judged. */
    judged?: Promise<void>;
    /** Who is asked, in place of the test. */
    permit?: ConversationIo['permit'];
    /** Of a human for the agent. */
    notes?: ConversationIo['notes'];
  } = {},
) {
  const sent: Message[] = [];
  const signals: AgentSignal[] = [];
  const asked: AskedFor[] = [];
  const unasked: { kind: string; cwd: string; id: string; hasFailed: boolean; wasRefused: boolean }[] = [];
  const watchers = new Set<() => void>();
  const news = () => {
    for (const each of watchers) each();
  };
  /** Waits until there is something. */
  const until = async <T>(look: () => T | undefined): Promise<T> => {
    const { promise, resolve } = Promise.withResolvers<T>();
    const watch = () => {
      const seen = look();
      if (seen !== undefined) resolve(seen);
    };
    watchers.add(watch);
    watch();
    return promise.finally(() => watchers.delete(watch));
  };
  const io: ConversationIo = {
    write: async (text) => {
      if (write && !(await write())) return false;
      sent.push(JSON.parse(text) as Message);
      news();
      return true;
    },
    hangUp: () => undefined,
    onQueued: () => {
      signals.push(...talk.queued());
      news();
    },
    isWanted,
    notes,
    unasked: async ({ kind, cwd }, known) => {
      unasked.push({ kind, cwd, ...known });
      await judged;
    },
    permit: (call, { id, isRecorded, said }, signal) => {
      if (permit) return permit(call, { id, isRecorded, said }, signal);
      const { promise, resolve, reject } = Promise.withResolvers<PermissionWord>();
      signal.addEventListener('abort', () => resolve({ is: 'cancelled' }));
      if (signal.aborted) resolve({ is: 'cancelled' });
      asked.push({ call, id, isRecorded, signal, decide: resolve, fail: reject });
      news();
      return promise;
    },
  };
  const talk = new AcpConversation(
    {
      prompt: 'Work.',
      sessionId: undefined,
      mcp: { command: 'clifford', args: [], env: {} },
      projectRoot: '/project',
      speech: { takesMcp: true, namesOwnTool: () => false },
      ...order,
    },
    io,
  );
  const say = (message: object) => {
    signals.push(...(talk.line(JSON.stringify({ jsonrpc: '2.0', ...message })) ?? []));
    news();
  };
  /** A line that is longer than is read. */
  const sayLong = (beginning: string) => {
    signals.push(...talk.longLine(beginning));
    news();
  };
  /** The request of this method that came last, once there are so many. */
  const request = (method: string, nth = 1) =>
    until(() => sent.filter((each) => each.method === method)[nth - 1]);
  const answer = async (method: string, result: object, nth = 1) =>
    say({ id: (await request(method, nth)).id, result });
  const fail = async (method: string, error: object) => say({ id: (await request(method)).id, error });
  const update = (change: object, sessionId = 's') =>
    say({ method: 'session/update', params: { sessionId, update: change } });
  const ask = (id: string, toolCall: object, offered: readonly object[] = options) =>
    say({ id, method: 'session/request_permission', params: { sessionId: 's', toolCall, options: offered } });
  /** What was answered to a request of the agent's. */
  const answerTo = (id: string) =>
    until(() => sent.find((each) => each.id === id && each.method === undefined));
  const outcomeOf = async (id: string) => (await answerTo(id)).result?.outcome;
  /** Until the prompt is there. */
  const begin = async (agentCapabilities: object = {}) => {
    const over = talk.converse();
    await answer('initialize', { protocolVersion: 1, agentCapabilities });
    await answer('session/new', { sessionId: 's' });
    await request('session/prompt');
    return { over };
  };
  return {
    talk,
    sent,
    signals,
    asked,
    unasked,
    until,
    say,
    sayLong,
    request,
    answer,
    fail,
    update,
    ask,
    answerTo,
    outcomeOf,
    begin,
  };
}
