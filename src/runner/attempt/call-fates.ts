import { answererText } from '../../events/answerer.ts';
import type { PermissionWord } from '../../gateway/permission/agent-call.ts';
import { clip } from '../../lib/text/clip.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import type { RequestState } from '../../machines/project-state.ts';
import { reasonOf } from '../../workflow/requests/reply-text.ts';
import type { Conversation } from '../agents/agent-adapter.ts';
import { withSignals } from '../output/tolerant-parser.ts';
import type { AgentSignal } from '../agents/output/agent-signal.ts';

/** So much is shown of what a human has said. */
const MAX_WORDS = 200;

const BROKEN_OFF = 'was broken off before anybody decided';

/** What was decided about calls that an agent has asked for, to be told where it says that they are over. */
export class CallFates {
  readonly #fates = new Map<string, string>();
  readonly #undecided = new Set<string>();
  /** Those that its agent has called failed before it was decided about them. */
  readonly #givenUp = new Set<string>();
  /** By whom those were allowed that had no agent any more by then. */
  readonly #late = new Map<string, string>();
  readonly #queued: AgentSignal[] = [];

  /** Its agent asks for it: until {@link note}. */
  noteAsked(id: string): void {
    this.#undecided.add(id);
  }

  /** @param request - By which a human was asked, as it is now; `undefined`: the policy decided. */
  note(id: string, word: PermissionWord, request: RequestState | undefined): void {
    this.#undecided.delete(id);
    const fate = fateOf(word, request?.answer);
    if (fate === undefined) this.#fates.delete(id);
    else if (!this.#givenUp.delete(id)) this.#fates.set(id, visibleLine(fate));
  }

  /** A human allowed it, and its agent had stopped asking by then. `what`: the call, for people. */
  noteLate(id: string, what: string, answer: RequestState['answer']): void {
    const said = `was allowed${answer ? ` by ${answererText(answer.by)}` : ''} too late`;
    if (!this.#givenUp.delete(id)) this.#late.set(id, said);
    // What it was told of the call when that was over was not all.
    else this.#queued.push({ is: 'text', text: visibleLine(`${what} ${said}: ${NOTHING_RAN}`) });
  }

  /** The same conversation: of a call that was not done for it, it says why. */
  toldBy(conversation: Conversation): Conversation {
    const told = withSignals(conversation, (signal) => [this.#told(signal)]);
    return {
      ...told,
      queued: () => [...this.#queued.splice(0), ...(told.queued?.() ?? [])],
      converse: () => conversation.converse(),
      noteExit: () => conversation.noteExit(),
      cancel: () => conversation.cancel(),
      leave: () => conversation.leave(),
      canSteer: () => conversation.canSteer(),
      steer: () => conversation.steer(),
      settled: () => conversation.settled(),
    };
  }

  #told(signal: AgentSignal): AgentSignal {
    if (signal.is !== 'tool-end') return signal;
    const fate = this.#fateOf(signal);
    this.#fates.delete(signal.id);
    this.#late.delete(signal.id);
    return fate === undefined ? signal : { ...signal, fate };
  }

  #fateOf({ id, isError }: AgentSignal & { readonly is: 'tool-end' }): string | undefined {
    if (isError && this.#undecided.has(id)) {
      this.#givenUp.add(id);
      return BROKEN_OFF;
    }
    const late = this.#late.get(id);
    if (late === undefined) return this.#fates.get(id);
    return visibleLine(`${late}${isError ? `: ${NOTHING_RAN}` : ', and done all the same'}`);
  }
}

const NOTHING_RAN = 'its agent had given up, and nothing ran';

/** What became of a call, to be read after `it`; `undefined`: it was made as it was asked for. */
function fateOf(word: PermissionWord, answer: RequestState['answer']): string | undefined {
  const who = answer && answererText(answer.by);
  if (word.is === 'cancelled') return BROKEN_OFF;
  if (word.is === 'allowed') return answer?.verdict === 'edited' ? `ran as changed by ${who}` : undefined;
  if (!answer) return `was denied: ${clip(word.reason, MAX_WORDS)}`;
  if (answer.verdict === 'edited') return `was changed by ${who}, and did not run as it was`;
  if (answer.verdict === 'questioned')
    return `was sent back by ${who} with a question: ${clip(answer.response, MAX_WORDS)}`;
  const reason = reasonOf(answer.response);
  return `was denied by ${who}${reason === undefined ? '' : `: ${clip(reason, MAX_WORDS)}`}`;
}
