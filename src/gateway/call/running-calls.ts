import type { CallPlace, ToolCall } from './tool.ts';

/** A call that a server works on. */
export type CallAtWork = { readonly call: ToolCall; readonly place: CallPlace };

/** Which calls servers work on now: what a server asks meanwhile is asked for one of them. */
export class CallsAtWork {
  readonly #calls = new Map<string, Set<CallAtWork>>();

  /** Returns what says that the call has ended. */
  enter(serverId: string, work: CallAtWork): () => void {
    const calls = this.#calls.get(serverId) ?? new Set();
    this.#calls.set(serverId, calls);
    calls.add(work);
    return () => {
      calls.delete(work);
    };
  }

  /** The latest call that the server works on. */
  latest(serverId: string): CallAtWork | undefined {
    return [...(this.#calls.get(serverId) ?? [])].at(-1);
  }
}
