import type { AgentCall } from '../../gateway/permission/agent-call.ts';
import { messageOf } from '../../lib/message-of.ts';
import type { ConversationIo } from '../agents/agent-adapter.ts';

/** So many calls are judged at once, and so many may wait for that: an agent can say more than anybody can judge. */
const MAX_AT_ONCE = 4;
const MAX_WAITING = 1_000;

type Known = Parameters<ConversationIo['unasked']>[1];

/** What an agent says it has done without asking, while it is being judged. */
export class UnaskedCalls {
  readonly #judge: ConversationIo['unasked'];
  readonly #onProblem: (text: string) => void;
  readonly #judging = new Set<Promise<void>>();
  readonly #waiting: { readonly call: AgentCall; readonly known: Known }[] = [];
  #hasTold = false;

  /** @param onProblem - Hears of a call that could not be judged, in words. */
  constructor(judge: ConversationIo['unasked'], onProblem: (text: string) => void) {
    this.#judge = judge;
    this.#onProblem = onProblem;
  }

  /** Has a call judged. Of more than can wait it is said, once, that there are some. */
  take(call: AgentCall, known: Known): void {
    if (this.#judging.size < MAX_AT_ONCE) return this.#begin(call, known);
    if (this.#waiting.length < MAX_WAITING) return void this.#waiting.push({ call, known });
    if (!this.#hasTold)
      this.#onProblem('Clifford cannot judge all that the agent does unasked: it is too much at once');
    this.#hasTold = true;
  }

  #begin(call: AgentCall, known: Known): void {
    const judging = this.#judge(call, known)
      .catch((error: unknown) =>
        this.#onProblem(
          `Clifford could not judge ${call.kind}, which nobody was asked about: ${messageOf(error)}`,
        ),
      )
      .finally(() => {
        this.#judging.delete(judging);
        const next = this.#waiting.shift();
        if (next) this.#begin(next.call, next.known);
      });
    this.#judging.add(judging);
  }

  /** Resolves once all of them are judged. */
  async settled(): Promise<void> {
    while (this.#judging.size > 0) await Promise.all(this.#judging);
  }
}
