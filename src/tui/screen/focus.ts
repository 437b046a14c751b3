import type { ApprovalScope } from '../../events/approval.ts';
import type { TaskAct } from '../../views/sprints/possible-acts.ts';
import type { KeyList } from '../keys/help-focus.ts';
import type { PaletteFocus } from '../palette/palette-state.ts';
import type { TextBuffer } from '../text/text-buffer.ts';

/** Where keys go. */
export type Focus =
  | PaletteFocus<'sprint' | 'over'>
  | { readonly at: 'sprint' }
  /** What a pane has to show is being typed. */
  | { readonly at: 'filter' }
  /** A time to go to is being typed. */
  | { readonly at: 'goal' }
  /** How the run ended: the row that is shown first. */
  | { readonly at: 'over'; readonly top: number }
  /** The keys there are, and where they were asked for: that is there again. */
  | (KeyList & { readonly back: Focus })
  /** A box has just appeared: keys are dropped until it was painted and nobody typed for a moment. */
  | {
      readonly at: 'arming';
      readonly dropped: number;
      /** The last of them came when keys decided already, and is none there. */
      readonly isStray?: true;
      /** What takes keys then, in place of the box or the decision; a key that is dropped before changes that. */
      readonly leadsTo?: 'edit';
    }
  /**
   * Somebody else has closed what words were typed for. What is typed on was meant for that, also after a pause: no key acts before
   * the person has said, with one that is in no text, that this was seen.
   */
  | { readonly at: 'closed' }
  | { readonly at: 'answer' }
  /** The box takes the reason for turning the question down, or for the no to a tool call. */
  | { readonly at: 'reject'; readonly back: 'sprint' | 'answer' | 'arming' }
  /** It takes the reason for the no to all calls of a batch, which stay listed. */
  | { readonly at: 'reject'; readonly back: 'batch'; readonly ids: readonly string[] }
  /** The box takes what is unclear about the question, which is to be put in other words. */
  | { readonly at: 'rephrase'; readonly back: 'sprint' | 'answer' }
  /** The box has the call that waits, to be changed. */
  | { readonly at: 'edit' }
  /** The box takes a question to the agent about the call that waits. */
  | { readonly at: 'explain' }
  /** A tool call waits for a key: yes or no. */
  | { readonly at: 'decide' }
  /** Which calls a yes is for, none picked at first; not armed yet, it takes no answer. */
  | { readonly at: 'scope'; readonly isArmed: boolean; readonly picked: WideScope | undefined }
  /** `Allow these calls?`: all that waited like the one that is shown when they were listed; not armed yet, it takes no answer. */
  | { readonly at: 'batch'; readonly isArmed: boolean; readonly ids: readonly string[] }
  /** `Dismiss this question?`; not armed yet, it takes no answer. */
  | { readonly at: 'confirm'; readonly isArmed: boolean; readonly back: 'sprint' | 'answer' }
  /** The box takes the reason why a task is left out, or something is ended, or the note to an agent. */
  | ({ readonly at: 'act' } & EndingAct)
  /** `Cancel parser? y/n`; not armed yet, it takes no yes. */
  | ({ readonly at: 'act-sure'; readonly isArmed: boolean } & EndingAct)
  /** What becomes of the run: stops it, does it go on without a screen? Not armed yet, only Ctrl+C counts, which nobody types. */
  | { readonly at: 'stop'; readonly isArmed: boolean; readonly key: StopKey; readonly back: Focus };

/** What takes a text, or a yes, before it is done: nothing is decided yet. */
export type EndingAct = {
  /** `note` tells the agent of the task something; `stop` ends the run, `start` begins one, `cancel` without a task ends the whole sprint. */
  readonly act: Exclude<TaskAct, 'retry'> | 'stop' | 'start';
  readonly task: string | undefined;
  /** Why; the note itself. */
  readonly reason: TextBuffer;
  /** What a run starts that is begun so, in lines. */
  readonly starts?: readonly string[] | undefined;
};

/** What a text becomes that is typed about a question: its answer, the reason against it, its call changed, or a question back. */
export type Drafts = 'drafts' | 'reasons' | 'edits' | 'asks';

/** Of which question, and as what, a text is kept. `entry`: of a form, the answer to which of its questions. */
export type DraftPlace = { readonly id: string; readonly kept: Drafts; readonly entry?: number };

/** A yes to more than one call. */
export type WideScope = Exclude<ApprovalScope, 'once'>;

/** A key that stops a sprint, as it is recorded. */
export type StopKey = 'Ctrl-C' | 'q';

/** Is it being decided to end something, or a note being written? The keys of a question that comes up meanwhile wait until that is over. */
export function isActing(focus: Focus): focus is Extract<Focus, EndingAct> {
  return focus.at === 'act' || focus.at === 'act-sure';
}

/** Where keys go once nothing lies over it: the keys that are listed do. */
export function beneath(focus: Focus): Focus {
  return focus.at === 'help' ? focus.back : focus;
}

/** Words are typed about what is asked, or were before they could be taken. */
export function isWriting(focus: Focus): boolean {
  return boxes.has(focus.at) || (focus.at === 'arming' && focus.dropped > 0);
}

const boxes: ReadonlySet<Focus['at']> = new Set(['answer', 'reject', 'rephrase', 'edit', 'explain']);

/** Does a key confirm or choose something, once it is armed? */
export function isConfirming(focus: Focus): focus is Extract<Focus, { readonly isArmed: boolean }> {
  return 'isArmed' in focus;
}

/** What takes a decision takes none before it was seen again. What is only typed goes on. */
export function disarmed(focus: Focus): Focus {
  if (isConfirming(focus)) return { ...focus, isArmed: false };
  switch (focus.at) {
    case 'decide':
      return { at: 'arming', dropped: 0 };
    case 'edit':
      return { at: 'arming', dropped: 0, leadsTo: 'edit' };
    // Its pause begins anew.
    case 'arming':
      return { ...focus };
    default:
      return focus;
  }
}
