import type { AgentCall } from '../../gateway/permission/agent-call.ts';
import { messageOf } from '../../lib/message-of.ts';
import type { ConversationIo } from '../agents/agent-adapter.ts';

/** What an agent says it has done without asking, while it is being judged. */
export class UnaskedCalls {
  readonly #judge: ConversationIo['unasked'];
  readonly #onProblem: (text: string) => void;
  readonly #judging = new Set<Promise<void>>();

  /** @param onProblem - Hears of a call that could not be judged, in words. */
  constructor(judge: ConversationIo['unasked'], onProblem: (text: string) => void) {
    this.#judge = judge;
    this.#onProblem = onProblem;
  }

  /** Has a call judged. */
  take(call: AgentCall, known: { readonly id: string; readonly hasFailed: boolean }): void {
    const judging = this.#judge(call, known)
      .catch((error: unknown) =>
        this.#onProblem(
          `Clifford could not judge ${call.kind}, which nobody was asked about: ${messageOf(error)}`,
        ),
      )
      .finally(() => this.#judging.delete(judging));
    this.#judging.add(judging);
  }

  /** Resolves once all of them are judged. */
  async settled(): Promise<void> {
    while (this.#judging.size > 0) await Promise.all(this.#judging);
  }
}
