/** What became of one way to a human. */
export type Tried = {
  readonly channel: string;
  readonly outcome: 'sent' | 'off' | 'failed';
  readonly said: string;
};
