import type { AgentSignal } from '../agents/output/agent-signal.ts';
import { toolAbout } from '../agents/output/tool-about.ts';
import { mergedCall, type AcpCall } from './acp-call.ts';
import { changeLines, fileChanges, linesChanged } from './file-changes.ts';

/** So many calls are remembered at once: an agent that ends none of them is not to fill the memory. */
const MAX_CALLS = 200;

/** So many calls that need no question any more are remembered by their ids. */
const MAX_SETTLED = 1_000;

/** Hears of a call that is over, and that the agent did not ask about. */
export type OnUnasked = (call: AcpCall, how: { readonly hasFailed: boolean }) => void;

/** A call, when it was first heard of, in ms of `performance.now()`, and what it was when it was told of. */
type KnownCall = {
  readonly call: AcpCall;
  readonly since: number;
  told: { readonly isOwn: boolean; readonly input: string } | undefined;
};

/** The tool calls of one session: what was said of each so far, and the signals that follow from it. */
export class AcpCalls {
  readonly #calls = new Map<string, KnownCall>();
  readonly #namesOwnTool: (call: AcpCall) => boolean;
  readonly #onUnasked: OnUnasked;
  /** Calls that were asked about, or are known not to have been. */
  readonly #settled = new Set<string>();

  /** @param namesOwnTool - Whether a call is one of Clifford's tools: their server records it. */
  constructor(namesOwnTool: (call: AcpCall) => boolean, onUnasked: OnUnasked = () => undefined) {
    this.#namesOwnTool = namesOwnTool;
    this.#onUnasked = onUnasked;
  }

  /** Takes note of what is said of a call. */
  take(update: AcpCall): readonly AgentSignal[] {
    const isFirst = !this.#calls.has(update.toolCallId);
    const known = this.#noted(update);
    const { call } = known;
    const wasUnderWay = known.told !== undefined;
    const isOver = call.status === 'completed' || call.status === 'failed';
    // Models number their calls, and some begin anew with each of their answers.
    if (isFirst && update['sessionUpdate'] === 'tool_call' && !isOver) this.#settled.delete(call.toolCallId);
    // Before it is under way not all agents know its arguments, and it may be asked about.
    const start = isOver || call.status === 'in_progress' ? this.#told(known) : [];
    if (!isOver) return start;
    this.#calls.delete(call.toolCallId);
    // Many agents say that a call is under way, and ask then: only now it is sure that they do not.
    if (call.status === 'completed' || wasUnderWay) this.#judge(call);
    return [...start, this.#end(known)];
  }

  /** The call that a permission is asked for, whole: some agents tell of it here for the first time. */
  asked(update: AcpCall): {
    readonly call: AcpCall;
    readonly isRecorded: boolean;
    readonly signals: readonly AgentSignal[];
  } {
    const known = this.#noted(update);
    this.#settle(update.toolCallId);
    // It is not the one any more that was written down.
    const isRecorded = known.told?.isOwn === true && known.told.input === inputOf(known.call);
    // Whoever decides on it records it.
    const signals = this.#told(known).map((signal) =>
      signal.is === 'tool-start' ? unrecorded(signal) : signal,
    );
    return { call: known.call, isRecorded, signals };
  }

  #judge(call: AcpCall): void {
    if (this.#settled.has(call.toolCallId) || this.#namesOwnTool(call)) return;
    this.#settle(call.toolCallId);
    this.#onUnasked(call, { hasFailed: call.status === 'failed' });
  }

  #settle(id: string): void {
    this.#settled.add(id);
    const [oldest] = this.#settled;
    if (this.#settled.size > MAX_SETTLED && oldest !== undefined) this.#settled.delete(oldest);
  }

  #noted(update: AcpCall): KnownCall {
    const before = this.#calls.get(update.toolCallId);
    const call = mergedCall(before?.call, update);
    const known = { call, since: before?.since ?? performance.now(), told: before?.told };
    this.#calls.set(update.toolCallId, known);
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > MAX_CALLS && oldest !== undefined) this.#calls.delete(oldest);
    return known;
  }

  #told(known: KnownCall): readonly AgentSignal[] {
    if (known.told) return [];
    const { call } = known;
    const isOwn = !this.#namesOwnTool(call);
    known.told = { isOwn, input: inputOf(call) };
    const { toolCallId: id, kind, title, rawInput, locations } = call;
    const args = rawInput ?? {};
    const about = toolAbout(rawInput);
    const start = {
      is: 'tool-start',
      id,
      tool: kind ?? 'other',
      about: about === '' ? (title ?? '') : about,
    } as const;
    if (!isOwn) return [{ ...start, tool: title ?? 'clifford' }];
    const own = {
      kind: kind ?? 'other',
      title: title ?? '',
      args,
      paths: (locations ?? []).map(({ path }) => path),
    };
    return [{ ...start, own }];
  }

  #end({ call, since }: KnownCall): AgentSignal {
    const end = { is: 'tool-end', id: call.toolCallId, isError: call.status === 'failed' } as const;
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

/** What tells a call from another one of the same id. */
function inputOf({ kind, rawInput, content, locations }: AcpCall): string {
  return JSON.stringify([kind, rawInput ?? content, locations?.map(({ path }) => path)]);
}

function unrecorded({ own: _own, ...signal }: AgentSignal & { readonly is: 'tool-start' }): AgentSignal {
  return signal;
}
