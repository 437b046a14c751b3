/** What a program waits for. */
export type PromptKind =
  /** One of a few answers, e.g. y or n. */
  | 'choice'
  /** A password, a passphrase, a code. */
  | 'secret'
  /** A line of text. */
  | 'text'
  /** A key. */
  | 'key'
  /** One entry of a list, chosen with the arrow keys. */
  | 'list';

/** A question that a program asks whoever sits at its terminal. */
export type Prompt = {
  readonly kind: PromptKind;
  /** The line that asks. */
  readonly question: string;
  /** What can be answered, where that is known: two or more, all different. */
  readonly options: readonly string[];
  /** The entry that a list begins at, from 0. */
  readonly chosen?: number;
  /** It may be none: the program may have stopped in the middle of what it says. */
  readonly isGuess?: true;
};
