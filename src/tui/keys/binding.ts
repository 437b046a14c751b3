import type { Effect } from '../screen/screen-effect.ts';
import type { Room } from '../terminal/room.ts';
import type { ScreenState } from '../screen/screen-state.ts';

/** What a key does in the palette. */
export type PaletteAction = 'palette-run' | 'palette-up' | 'palette-down' | 'palette-complete';

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
  | 'close-card-box'
  | 'choose-scope'
  | 'scope-task'
  | 'scope-sprint'
  | 'scope-always'
  | 'scope-up'
  | 'scope-down'
  | 'scope-picked'
  | 'close-scope';

/** What a key does, outside of editing text. */
export type Action =
  | 'submit'
  | 'newline'
  | 'close-box'
  | 'enter-box'
  | 'reject'
  | 'send-reason'
  | 'close-reason'
  | 'rephrase'
  | 'send-rephrase'
  | 'close-rephrase'
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
  | PaletteAction
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

/** What decides which keys are of use. */
export type Situation = {
  readonly state: ScreenState;
  readonly canScrollQuestion: boolean;
};

/** A key, or several that do the same, in the words of a line. */
export type KeyName = readonly [keys: string, what: string];

/** What says whether keys that scroll have anything to scroll. */
export type Scrollable = Pick<Room, 'helpMax' | 'result'> & Partial<Pick<Room, 'overMax' | 'detail'>>;

/**
 * What keys are listed under in the palette: those that decide something, or begin to; those that change what is shown; those
 * that lead elsewhere.
 */
export type KeyGroup = 'Act' | 'Show' | 'Go to';

/** Keys of one action in one place, and how the hint line names them: on any screen. */
export type KeyBinding<Now, Does> = {
  readonly keys: readonly string[];
  readonly action: Does;
  /** Without one, the line does not mention it. */
  readonly hint?: KeyName;
  /** How the help names it, where the line has no room: it goes first there. */
  readonly help?: KeyName;
  /** Default: `Go to`. */
  readonly group?: KeyGroup;
  /** Of what moves in something: whether it is more than is in sight. Where it is not, the line does not mention it. */
  readonly moves?: (room: Scrollable) => boolean;
  /** When it can be used; always, when absent. */
  readonly when?: (now: Now) => boolean;
};

/** The same on the screen of a sprint. */
export type Binding = KeyBinding<Situation, Action | Act>;
