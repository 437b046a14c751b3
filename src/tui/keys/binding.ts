import type { Effect, Room, ScreenState } from '../screen/screen-state.ts';

/** What only a tool call that waits has keys for. */
export type Decision =
  | 'allow'
  | 'deny'
  | 'read-first'
  | 'refuse-agent'
  | 'reveal'
  | 'edit'
  | 'send-edit'
  | 'explain'
  | 'list-same'
  | 'allow-same'
  | 'deny-same'
  | 'send-same'
  | 'send-question'
  | 'leave-card-box'
  | 'choose-scope'
  | 'scope-task'
  | 'scope-sprint'
  | 'scope-always'
  | 'scope-up'
  | 'scope-down'
  | 'scope-picked'
  | 'leave-scope';

/** What a key does, outside of editing text. */
export type Action =
  | 'submit'
  | 'newline'
  | 'leave-box'
  | 'enter-box'
  | 'reject'
  | 'send-reason'
  | 'leave-reason'
  | 'dismiss'
  | 'confirm'
  | 'refuse'
  | 'next-question'
  | 'previous-question'
  | 'question-up'
  | 'question-down'
  | 'question-start'
  | 'question-end'
  | 'line-up'
  | 'line-down'
  | Decision
  | 'stop'
  | 'stop-surely'
  | 'go-on'
  | 'detach'
  | 'suspend'
  | 'force';

/** What a key of its own does. */
export type Act = (state: ScreenState, context: KeyContext) => ScreenState;

/** What a key can look at, and where what it wants done goes. */
export type KeyContext = { readonly room: Room; readonly emit: (effect: Effect) => void };

/** Keys of one action in one place, and how the hint line names them. */
export type Binding = {
  readonly keys: readonly string[];
  readonly action: Action | Act;
  /** Without one, the line does not mention it. */
  readonly hint?: readonly [keys: string, what: string];
  /** How the help names it, where the line has no room: it goes first there. */
  readonly help?: readonly [keys: string, what: string];
  /** When it can be used; always, when absent. */
  readonly when?: (situation: Situation) => boolean;
};

/** What decides which keys are of use. */
export type Situation = {
  readonly state: ScreenState;
  readonly isNarrow: boolean;
  readonly canScrollQuestion: boolean;
};
