import type { DetailRoom } from '../screen/browsing.ts';

/** How much of what a command has said fits, and how much is out of sight. */
export type ResultRoom = { readonly page: number; readonly max: number };

/** How much the panes can show and scroll, as they were last drawn. */
export type Room = {
  readonly isNarrow: boolean;
  /** Nothing of it can be seen. */
  readonly isTooSmall: boolean;
  /** What is asked is out of sight, or folded. */
  readonly hidesAsked: boolean;
  readonly questionPage: number;
  readonly questionMax: number;
  /** Tasks that fit. */
  readonly tasksPage: number;
  /** Rows of the summary that are out of sight. */
  readonly overMax: number;
  /** Rows of help that are out of sight. */
  readonly helpMax: number;
  readonly result?: ResultRoom;
  /** The pane beside the tasks; `undefined`: it is empty. */
  readonly detail: DetailRoom | undefined;
};
