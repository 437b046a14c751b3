/** A terminal that may be written to between two frames: the sequences written here move no cursor and draw nothing. */
export type NotifyTerminal = {
  readonly write: (sequence: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
};
