import { conversationSince, type Conversation } from './conversation.ts';
import type { Script, ScriptedTurn } from './script.ts';

/** Plays one script. Remembers only what no request can tell: which failures are used up, what was released. */
export class ScriptPlayer {
  readonly #script: Script;
  readonly #failed = new Map<ScriptedTurn, number>();
  readonly #released = new Set<ScriptedTurn>();

  constructor(script: Script) {
    this.#script = script;
  }

  /** What comes at this point of the conversation. */
  async next(conversation: Conversation): Promise<ScriptedTurn> {
    const script = this.#script;
    if (typeof script === 'function') return script(conversation);
    if (!('resumedBy' in script)) return this.#turn(script, conversation.step);
    const resumed = conversationSince(conversation, script.resumedBy);
    return resumed ? this.#turn(script.after, resumed.step) : this.#turn(script.first, conversation.step);
  }

  #turn(turns: readonly ScriptedTurn[], step: number): ScriptedTurn {
    let at = 0;
    for (const turn of turns) {
      const isTurn = !('fail' in turn) && !('stall' in turn);
      if (at === step && (isTurn || !this.#isOver(turn))) return turn;
      if (isTurn) at += 1;
    }
    return { text: 'Done.' };
  }

  /** Counts a failure that was answered. */
  hasFailed(turn: ScriptedTurn): void {
    this.#failed.set(turn, (this.#failed.get(turn) ?? 0) + 1);
  }

  /** Lets the conversation go on after a stall. */
  release(turn: ScriptedTurn): void {
    this.#released.add(turn);
  }

  #isOver(turn: ScriptedTurn): boolean {
    if ('fail' in turn) return (this.#failed.get(turn) ?? 0) >= (turn.times ?? Number.POSITIVE_INFINITY);
    return this.#released.has(turn);
  }
}
