/** Why a human is called. `waiting`: several requests at once; `left`: nobody runs the sprint any more;
 * `task-failed`: others of it go on. */
export type NoticeKind =
  | 'question'
  | 'approval'
  | 'prompt'
  | 'waiting'
  | 'limited'
  | 'left'
  | 'task-failed'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'test';

/** What a human is told, as plain data for a terminal: no text in it can act on a terminal, and secrets are replaced. */
export type Notice = {
  readonly kind: NoticeKind;
  /** One short line. It begins with a word of ours. */
  readonly title: string;
  /** One line. */
  readonly text: string;
  /** Its id. */
  readonly sprint: string;
  readonly task?: string | undefined;
  /** The id of the request, where it is about one. */
  readonly request?: string | undefined;
};
