import type { StoredEvent } from '../../events/envelope.ts';

/** Knows which humans' words allowed a call that then failed. Takes the events of a sprint in their order. */
export class FailedCalls {
  /** The requests by which calls under way were allowed. */
  readonly #allowedBy = new Map<string, string>();
  readonly #failed = new Set<string>();

  take({ type, data }: StoredEvent): void {
    switch (type) {
      case 'tool.allowed':
        if (data.requestId !== undefined) this.#allowedBy.set(data.callId, data.requestId);
        break;
      case 'tool.returned':
        this.#end(data.callId, data.isError);
        break;
      case 'tool.failed':
        this.#end(data.callId, true);
        break;
      case 'tool.withheld':
        this.#end(data.callId, false);
        break;
      default:
    }
  }

  /** Whether the call that was allowed by this request has failed. */
  has(requestId: string): boolean {
    return this.#failed.has(requestId);
  }

  #end(callId: string, hasFailed: boolean): void {
    const request = this.#allowedBy.get(callId);
    if (request !== undefined && hasFailed) this.#failed.add(request);
    this.#allowedBy.delete(callId);
  }
}
