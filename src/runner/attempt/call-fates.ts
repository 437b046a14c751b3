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

/** What was decided about calls that an agent has asked for, to be told where it says that they are over. */
export class CallFates {
  readonly #fates = new Map<string, string>();

  /** @param request - By which a human was asked, as it is now; `undefined`: the policy decided. */
  note(id: string, word: PermissionWord, request: RequestState | undefined): void {
    const fate = fateOf(word, request?.answer);
    if (fate === undefined) this.#fates.delete(id);
    else this.#fates.set(id, visibleLine(fate));
  }

  /** A human allowed it, and its agent had stopped asking by then. */
  noteLate(id: string, answer: RequestState['answer']): void {
    const who = answer && ` by ${answererText(answer.by)}`;
    this.#fates.set(
      id,
      visibleLine(`was allowed${who ?? ''} too late: its agent had given up, and nothing ran`),
    );
  }

  /** The same conversation: of a call that was not done for it, it says why. */
  toldBy(conversation: Conversation): Conversation {
    return {
      ...withSignals(conversation, (signal) => [this.#told(signal)]),
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
    const fate = this.#fates.get(signal.id);
    this.#fates.delete(signal.id);
    return fate === undefined ? signal : { ...signal, fate };
  }
}

/** What became of a call, to be read after `it`; `undefined`: it was made as it was asked for. */
function fateOf(word: PermissionWord, answer: RequestState['answer']): string | undefined {
  const who = answer && answererText(answer.by);
  if (word.is === 'cancelled') return 'was broken off before anybody decided';
  if (word.is === 'allowed') return answer?.verdict === 'edited' ? `ran as changed by ${who}` : undefined;
  if (!answer) return `was refused: ${clip(word.reason, MAX_WORDS)}`;
  if (answer.verdict === 'edited') return `was changed by ${who}, and did not run as it was`;
  if (answer.verdict === 'questioned')
    return `was sent back by ${who} with a question: ${clip(answer.response, MAX_WORDS)}`;
  const reason = reasonOf(answer.response);
  return `was refused by ${who}${reason === undefined ? '' : `: ${clip(reason, MAX_WORDS)}`}`;
}
