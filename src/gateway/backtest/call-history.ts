import { OWN_SERVER } from '../../workflow/project/own-tools.ts';
import { allowsCall } from '../../events/approval.ts';
import { agentOfServer } from '../../events/agent-server.ts';
import { isAgentsWord } from '../../events/answerer.ts';
import type { EventData, EventType } from '../../events/catalog.ts';
import { streamOf, taskOf, type StoredEvent } from '../../events/envelope.ts';
import { digestOf } from '../../lib/digest.ts';
import { isShownInPart } from '../../workflow/requests/shown-arguments.ts';
import { arePathsCut } from '../permission/requested-data.ts';
import { granterIn } from '../policy/granted-rule.ts';
import { isUnattended, type CallOutcome, type RecordedCall } from './recorded-call.ts';

/** What the calls of a log, and their ends, follow from. */
const types = [
  'tool.requested',
  'tool.allowed',
  'tool.denied',
  'tool.returned',
  'help.requested',
  'help.answered',
  'help.expired',
] as const satisfies readonly EventType[];
type CallEvent = StoredEvent<(typeof types)[number]>;

/** The types of these events. */
export const callTypes: ReadonlySet<EventType> = new Set(types);

const UNDECIDED: CallOutcome = { is: 'undecided' };

/** A call, and what is known of it that only tells which events belong to it. */
type Heard = {
  call: RecordedCall;
  /** The same for the same call in another attempt. */
  readonly key: string;
  hasExpired: boolean;
};

/**
 * The calls that agents made, and how each ended, from the events of a log in its order. A call that is made anew while a
 * human is being asked about it, or takes the word that was given, is the same one.
 */
export class CallHistory {
  readonly #heard = new Set<Heard>();
  readonly #byId = new Map<string, Heard>();
  readonly #byRequest = new Map<string, Heard>();
  readonly #waiting = new Map<string, Heard>();

  /** Events of other types than {@link callTypes} say nothing. */
  take(event: StoredEvent): void {
    if (isAboutCalls(event)) this.#take(event);
  }

  #take(event: CallEvent): void {
    switch (event.type) {
      case 'tool.requested':
        return this.#made(event);
      case 'help.requested':
        return this.#asked(event);
      case 'help.answered':
        return this.#answered(event.data);
      case 'help.expired': {
        const heard = this.#byRequest.get(event.data.requestId);
        if (heard) heard.hasExpired = true;
        return undefined;
      }
      case 'tool.allowed':
        return this.#decided('ran', event.data);
      case 'tool.denied':
        return this.#decided('stopped', event.data);
      case 'tool.returned':
        return this.#returned(event.data);
    }
  }

  /** In the order they were made. */
  calls(): readonly RecordedCall[] {
    return [...this.#heard].map(({ call }) => call);
  }

  #made({ data, time, subject }: StoredEvent<'tool.requested'>): void {
    const { callId, server, tool, args, argsDigest, paths = [], elsewhere } = data;
    // Clifford's own tools are judged by nobody.
    if (server === OWN_SERVER) return;
    const key = JSON.stringify([subject, server, tool, argsDigest]);
    const waiting = this.#waiting.get(key);
    if (waiting) {
      this.#byId.set(callId, waiting);
      return;
    }
    // An agent that asks may say more of a call than when it first told of it.
    const before = this.#byId.get(callId);
    if (before?.call.outcome.is === 'undecided' && before.call.requestId === undefined)
      this.#heard.delete(before);
    const call: RecordedCall = {
      requestId: undefined,
      ...placeOf(subject),
      at: time,
      server,
      tool,
      args,
      paths,
      elsewhere,
      isWhole: !arePathsCut(data) && digestOf(args) === argsDigest && !isSilent(data),
      hasChanged: false,
      annotations: undefined,
      outcome: UNDECIDED,
    };
    this.#hear(callId, { call, key, hasExpired: false });
  }

  /** What a human was shown is more than what is kept of other calls. */
  #asked({ data, time, subject }: StoredEvent<'help.requested'>): void {
    const { approval, requestId } = data;
    if (!approval) return;
    const { server, tool, callId, args, annotations, change } = approval;
    const before = this.#byId.get(callId);
    if (before) this.#heard.delete(before);
    const call: RecordedCall = {
      requestId,
      ...placeOf(subject),
      at: time,
      server,
      tool,
      args,
      paths: before?.call.paths ?? [],
      elsewhere: before?.call.elsewhere,
      isWhole: !isShownInPart(approval),
      hasChanged: change !== undefined,
      annotations,
      outcome: UNDECIDED,
    };
    const heard: Heard = { call, key: before?.key ?? requestId, hasExpired: false };
    this.#byRequest.set(requestId, heard);
    this.#waiting.set(heard.key, heard);
    this.#hear(callId, heard);
  }

  #answered({ requestId, verdict, edited, by }: EventData<'help.answered'>): void {
    const heard = this.#byRequest.get(requestId);
    if (!heard) return;
    this.#waiting.delete(heard.key);
    if (verdict === undefined || verdict === 'questioned' || isAgentsWord(by)) return;
    // What a human said of the call as it was is neither yes nor no: the one they made of it they allowed.
    if (edited) heard.call = { ...heard.call, args: edited.args, paths: [] };
    const is = allowsCall(verdict) ? 'approved' : 'denied';
    heard.call = { ...heard.call, outcome: { is, by } };
  }

  #decided(word: 'ran' | 'stopped', { callId, rule }: EventData<'tool.allowed' | 'tool.denied'>): void {
    const heard = this.#byId.get(callId);
    if (!heard) return;
    // By a human. Of a call without a request of its own it is the word that was given to an earlier one.
    if (rule === undefined) {
      if (heard.call.requestId === undefined) this.#heard.delete(heard);
      return;
    }
    if (heard.call.outcome.is !== 'undecided' || heard.hasExpired) return;
    const by = granterIn(rule);
    const is = isUnattended(rule) ? 'unattended' : word;
    const outcome: CallOutcome = by === undefined ? { is, rule } : { is: 'approved', by };
    heard.call = { ...heard.call, outcome };
    this.#waiting.delete(heard.key);
  }

  /** It has run, whoever let it. */
  #returned({ callId }: EventData<'tool.returned'>): void {
    const heard = this.#byId.get(callId);
    if (!heard || heard.call.requestId !== undefined || heard.call.outcome.is !== 'undecided') return;
    if (agentOfServer(heard.call.server) !== undefined)
      heard.call = { ...heard.call, outcome: { is: 'unasked' } };
  }

  #hear(callId: string, heard: Heard): void {
    this.#heard.add(heard);
    this.#byId.set(callId, heard);
  }
}

function isAboutCalls(event: StoredEvent): event is CallEvent {
  return callTypes.has(event.type);
}

/** An agent has told of a command in other ways than by arguments, which the log has only where somebody was asked. */
function isSilent({ server, tool, args }: EventData<'tool.requested'>): boolean {
  const isEmpty = typeof args === 'object' && Object.keys(args ?? {}).length === 0;
  return isEmpty && tool === 'execute' && agentOfServer(server) !== undefined;
}

function placeOf(subject: string): Pick<RecordedCall, 'stream' | 'taskId'> {
  return { stream: streamOf(subject), taskId: taskOf(subject) };
}
