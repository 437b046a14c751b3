import type { ClientContext } from '@agentclientprotocol/sdk';
import { isJsonObject } from '../../lib/json/json-object.ts';
import { within } from '../../lib/processes/settled-within.ts';
import { messageOf } from '../../lib/message-of.ts';
import type { TaskNote } from '../../machines/task-state.ts';
import { noteText } from '../../workflow/notes/note-text.ts';
import type { NoteIo } from '../agents/agent-adapter.ts';

/** Says something in the middle of a turn. An extension that agents name in the `_meta` of their `initialize`. */
const STEER = '_session/steering';

/** So long an agent may take to say whether something was said into a turn that is over, in ms. */
const ANSWER_MS = 2_000;

/** Whether an agent takes a further word in the middle of its turn, by the `_meta` that it has introduced itself with. */
export function canBeSteered(meta: unknown): boolean {
  const steering = isJsonObject(meta) ? meta['steering'] : undefined;
  return isJsonObject(steering) && steering['supported'] === true;
}

/** What a human tells the agent of one session unasked: into its turn, where it takes that, else with the next one. */
export class AcpNotes {
  readonly #io: NoteIo;
  /** `undefined`: it cannot be steered. */
  #steered: { readonly agent: ClientContext; readonly sessionId: string } | undefined;
  /** What the next turn begins with. */
  #held: readonly TaskNote[] = [];
  /** What was said with the turn that has begun, and of which the agent has given no sign. */
  #prompted: readonly TaskNote[] = [];
  #steering: { readonly notes: readonly TaskNote[]; readonly said: Promise<void> } | undefined;
  /** The turn goes on, and takes no further word. */
  #isDeaf = false;
  /** The turn is over, and the next one has not begun. */
  #isBetween = false;

  constructor(io: NoteIo) {
    this.#io = io;
  }

  /** The session has begun, of an agent that can be steered. */
  open(agent: ClientContext, sessionId: string): void {
    this.#steered = { agent, sessionId };
  }

  get canSteer(): boolean {
    return this.#steered !== undefined && this.#steering === undefined && !this.#isDeaf;
  }

  /** Says the notes that wait into the turn. Returns once they are taken; never rejects for what the agent says to it. */
  async steer(): Promise<void> {
    if (!this.#steered || this.#steering) return;
    const notes = await this.#io.take('steering');
    if (notes.length > 0) this.#steering = { notes, said: this.#say(notes) };
  }

  /** The notes that the next turn begins with, as its words; `undefined`: there are none. */
  async forNextTurn(): Promise<string | undefined> {
    // It may be that the turn was over before they had arrived.
    this.#isBetween = true;
    if (this.#steering) await within(ANSWER_MS, [this.#steering.said]);
    this.#isBetween = false;
    this.#giveUpSteering();
    this.#isDeaf = false;
    const notes = [...this.#held, ...(await this.#io.take('turn'))];
    this.#held = [];
    this.#prompted = notes;
    return notes.length === 0 ? undefined : noteText(notes);
  }

  /** The agent has given a sign in the turn that began with them. */
  noteSign(): void {
    if (this.#prompted.length === 0) return;
    this.#io.delivered(this.#prompted, 'turn');
    this.#prompted = [];
  }

  /** An agent that has not answered may never have read them: they are said again, and it is not steered any more. */
  #giveUpSteering(): void {
    if (!this.#steering) return;
    this.#held = [...this.#held, ...this.#steering.notes];
    this.#steered = undefined;
    this.#steering = undefined;
  }

  /** What goes on without them may still call a tool, or complete its task: they wait for that, too. */
  #notTaken(notes: readonly TaskNote[]): void {
    this.#isDeaf = true;
    this.#io.returned(notes, 'the agent did not take it into its turn');
  }

  async #say(notes: readonly TaskNote[]): Promise<void> {
    const { agent, sessionId } = this.#steered ?? {};
    if (!agent) return;
    const prompt = [{ type: 'text', text: noteText(notes) }];
    // Without a turn it would begin one of its own, of which nobody would hear the end.
    const _meta = { steering: { idleBehavior: 'promptRequired' } };
    try {
      const answer: unknown = await agent.request(STEER, { sessionId, prompt, _meta });
      if (!this.#endSteering(notes)) return;
      const outcome = isJsonObject(answer) ? answer['outcome'] : undefined;
      if (outcome === 'injected') this.#io.delivered(notes, 'steering');
      else if (this.#isBetween) this.#held = [...this.#held, ...notes];
      else this.#notTaken(notes);
    } catch (error) {
      if (!this.#endSteering(notes)) return;
      this.#steered = undefined;
      this.#io.returned(notes, `it could not be said into the turn: ${messageOf(error)}`);
    }
  }
  /** False: that was given up before. */
  #endSteering(notes: readonly TaskNote[]): boolean {
    if (this.#steering?.notes !== notes) return false;
    this.#steering = undefined;
    return true;
  }
}
