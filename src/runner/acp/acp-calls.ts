import type { AgentSignal } from '../agents/output/agent-signal.ts';
import { toolAbout } from '../agents/output/tool-about.ts';
import {
  callDigest,
  isToldAs,
  toldFolderOf,
  mergedCall,
  type AcpCall,
  type CallDigest,
  locatedPaths,
} from './acp-call.ts';
import { CallNames, KnownIds } from './call-names.ts';
import { showsItRan } from './shows-it-ran.ts';
import { askedCall, isAnother, type AskedCall } from './told-again.ts';
import { changeLines, fileChanges, linesChanged } from './file-changes.ts';

/** So many calls are remembered at once: an agent that ends none of them is not to fill the memory. */
const MAX_CALLS = 200;

/** How a call is over that the agent had no word for to make. */
export type Unasked = {
  /** That no other call of the session has. */
  readonly name: string;
  readonly hasFailed: boolean;
  /** It asked, and was refused. */
  readonly wasRefused: boolean;
  /** In which it is made, where the agent said so at any time. */
  readonly folder: string | undefined;
};

/** Hears of a call that is over, and that the agent did not ask about, or has no yes for. */
export type OnUnasked = (call: AcpCall, how: Unasked) => void;

/** A call, when it was first heard of, in ms of `performance.now()`, its name, and what it was when it was told of. */
type KnownCall = {
  readonly call: AcpCall;
  /** In which it is made, as was said of it last. */
  readonly folder: string | undefined;
  readonly since: number;
  readonly name: string;
  told: { readonly isOwn: boolean; readonly call: AcpCall } | undefined;
};

/** The tool calls of one session: what was said of each so far, and the signals that follow from it. */
export class AcpCalls {
  readonly #calls = new Map<string, KnownCall>();
  readonly #namesOwnTool: (call: AcpCall) => boolean;
  readonly #onUnasked: OnUnasked;
  /** Calls that may be made, or are known to have been made unasked. */
  readonly #settled = new KnownIds();
  readonly #asked = new KnownIds();
  /** As they were when they were refused. */
  readonly #refused = new Map<string, CallDigest | undefined>();
  /** The same, where a call has begun with the id since. */
  readonly #refusedBefore = new Map<string, CallDigest | undefined>();
  /** Calls as they were asked about. */
  readonly #askedAs = new Map<string, AskedCall>();
  readonly #over = new KnownIds();
  readonly #names = new CallNames();

  /** @param namesOwnTool - Whether a call is one of Clifford's tools: their server records it. */
  constructor(namesOwnTool: (call: AcpCall) => boolean, onUnasked: OnUnasked = () => undefined) {
    this.#namesOwnTool = namesOwnTool;
    this.#onUnasked = onUnasked;
  }

  /** Takes note of what is said of a call. */
  take(update: AcpCall): readonly AgentSignal[] {
    if (this.#beginsAnew(update)) this.#calls.delete(update.toolCallId);
    const isFirst = !this.#calls.has(update.toolCallId);
    if (isFirst && this.#isLate(update)) {
      this.#judgeLate(update);
      return [];
    }
    const known = this.#noted(update);
    const { call } = known;
    const wasUnderWay = known.told !== undefined;
    const isOver = call.status === 'completed' || call.status === 'failed';
    // Models number their calls, and some begin anew with each of their answers.
    if (isFirst && update['sessionUpdate'] === 'tool_call' && !isOver) this.#forget(call.toolCallId);
    // Before it is under way not all agents know its arguments, and it may be asked about.
    const start = isOver || call.status === 'in_progress' ? this.#told(known) : [];
    if (!isOver) return start;
    this.#calls.delete(call.toolCallId);
    this.#over.add(call.toolCallId);
    // Many agents report a call as under way before they ask about it. That it went unasked is known when it is over.
    if (call.status === 'completed' || wasUnderWay || showsItRan(call)) this.#judge(known);
    return [...start, this.#end(known)];
  }

  /** The call that a permission is asked for, whole: some agents tell of it here for the first time. */
  asked(update: AcpCall): {
    readonly call: AcpCall;
    /** That no other call of the session has. */
    readonly name: string;
    /** In which it is made, where the agent said so at any time. */
    readonly folder: string | undefined;
    readonly isRecorded: boolean;
    readonly signals: readonly AgentSignal[];
  } {
    let known = this.#noted(update);
    this.#forget(update.toolCallId);
    this.#asked.add(update.toolCallId);
    this.#askedAs.set(update.toolCallId, askedCall(known.call));
    forgetOldest(this.#askedAs);
    const { told } = known;
    const isThere = told?.isOwn === true && toldFolderOf(told.call) === known.folder;
    const isRecorded = isThere && isToldAs(callDigest(told.call), callDigest(known.call));
    const signals: AgentSignal[] = [];
    if (told?.isOwn && !isRecorded) {
      // It is not the one that was written down: that one is over, and nothing is known to have failed.
      signals.push(this.#end({ ...known, call: { ...told.call, status: 'completed' } }));
      known = { ...known, name: this.#names.next(update.toolCallId), told: undefined };
      this.#calls.set(update.toolCallId, known);
    }
    // Whoever decides on it records it.
    for (const signal of this.#told(known))
      signals.push(signal.is === 'tool-start' ? unrecorded(signal) : signal);
    const { call, name, folder } = known;
    return { call, name, folder, isRecorded, signals };
  }

  /** The agent is told that it may make the call that it asked about. */
  allowed(id: string): void {
    this.#settled.add(id);
  }

  /** The agent is told that it may not. */
  refused(id: string): void {
    const known = this.#calls.get(id);
    this.#refused.set(id, known && callDigest(known.call));
    forgetOldest(this.#refused);
  }

  /** Nothing was asked about it, and nothing said. */
  #forget(id: string): void {
    if (this.#refused.has(id)) this.#refusedBefore.set(id, this.#refused.get(id));
    forgetOldest(this.#refusedBefore);
    for (const ids of [this.#settled, this.#asked, this.#refused]) ids.delete(id);
  }

  /** Not all agents say how a call ended that was refused: another one may have its id. */
  #beginsAnew({ toolCallId, status, ...update }: AcpCall): boolean {
    const isOver = status === 'completed' || status === 'failed';
    return !isOver && update['sessionUpdate'] === 'tool_call' && this.#refused.has(toolCallId);
  }

  /** Also where its agent begins it anew with the same id: it is what was refused then. */
  #wasRefused(call: AcpCall): boolean {
    const before = this.#refusedBefore.get(call.toolCallId);
    return this.#refused.has(call.toolCallId) || (before !== undefined && isToldAs(callDigest(call), before));
  }

  /** A last word on a call that is over: it begins no other one. */
  #isLate({ toolCallId, status, ...update }: AcpCall): boolean {
    const saysHow = status === undefined || status === null || status === 'completed' || status === 'failed';
    return saysHow && update['sessionUpdate'] === 'tool_call_update' && this.#over.has(toolCallId);
  }

  /** It was asked about, and its agent says with its id that it has made another one. */
  #isAnother(call: AcpCall): boolean {
    const asked = this.#asked.has(call.toolCallId) ? this.#askedAs.get(call.toolCallId) : undefined;
    return asked !== undefined && isAnother(asked, call);
  }

  /** Of a call that was allowed and is over its agent says now that it was another one. */
  #judgeLate(update: AcpCall): void {
    const { toolCallId: id } = update;
    const call = { ...update, kind: update.kind ?? this.#askedAs.get(id)?.kind };
    const isMade = update.status === 'completed' || showsItRan(update);
    if (!isMade || !this.#settled.has(id) || !this.#isAnother(call)) return;
    this.#judge({ call, name: this.#names.next(id), folder: toldFolderOf(call) });
  }

  #judge({ call, name, folder }: Pick<KnownCall, 'call' | 'name' | 'folder'>): void {
    const { toolCallId: id } = call;
    if (this.#namesOwnTool(call) || (this.#settled.has(id) && !this.#isAnother(call))) return;
    // That is how agents say that they have not made it, unless they say what came of it.
    const hasFailed = call.status === 'failed' && !showsItRan(call);
    if (hasFailed && this.#asked.has(id)) return;
    this.#settled.add(id);
    // It may be said again.
    if (this.#asked.has(id)) this.#askedAs.set(id, askedCall(call));
    this.#onUnasked(call, { name, hasFailed, wasRefused: this.#wasRefused(call), folder });
  }

  #noted(update: AcpCall): KnownCall {
    const { toolCallId } = update;
    const before = this.#calls.get(toolCallId);
    const call = mergedCall(before?.call, update);
    // A call that begins says where, whatever one with its id said before.
    const begins = update['sessionUpdate'] === 'tool_call' && update.rawInput !== undefined;
    const folder = toldFolderOf(update) ?? (begins ? undefined : before?.folder);
    const known: KnownCall = before
      ? { ...before, call, folder }
      : { call, folder, since: performance.now(), name: this.#names.next(toolCallId), told: undefined };
    this.#calls.set(toolCallId, known);
    forgetOldest(this.#calls);
    return known;
  }

  #told(known: KnownCall): readonly AgentSignal[] {
    if (known.told) return [];
    const { call, name: id } = known;
    const isOwn = !this.#namesOwnTool(call);
    known.told = { isOwn, call };
    const { title, rawInput } = call;
    const kind = call.kind ?? 'other';
    const args = rawInput ?? {};
    const about = toolAbout(rawInput);
    const start = {
      is: 'tool-start',
      id,
      tool: kind,
      about: about === '' ? (title ?? '') : about,
    } as const;
    if (!isOwn) return [{ ...start, tool: title ?? 'clifford' }];
    const own = {
      kind,
      title: title ?? '',
      args,
      paths: locatedPaths(call),
    };
    return [{ ...start, own }];
  }

  #end({ call, since, name: id }: KnownCall): AgentSignal {
    const end = { is: 'tool-end', id, isError: call.status === 'failed' } as const;
    if (this.#namesOwnTool(call)) return end;
    const changes = fileChanges(call);
    const lines = linesChanged(changes);
    const bytes = Buffer.byteLength(JSON.stringify(call.rawOutput ?? call.content ?? null));
    const durationMs = Math.round(performance.now() - since);
    const diff = changeLines(changes);
    return {
      ...end,
      ...(diff.length === 0 ? {} : { diff }),
      own: { bytes, durationMs, ...(lines === undefined ? {} : { lines }) },
    };
  }
}

function forgetOldest(calls: Map<string, unknown>): void {
  const [oldest] = calls.keys();
  if (calls.size > MAX_CALLS && oldest !== undefined) calls.delete(oldest);
}

function unrecorded({ own: _own, ...signal }: AgentSignal & { readonly is: 'tool-start' }): AgentSignal {
  return signal;
}
