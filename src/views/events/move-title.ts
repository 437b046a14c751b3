/** An event that moves a machine. */
export type Moving = {
  readonly event: string;
  /** The request that it is about is a call that waits for a yes or no. */
  readonly isOfCall?: boolean | undefined;
};

/** What events are called for people, by their types; `ofCall`: where they are about a call, if that is otherwise. */
export type TitlesByType = {
  readonly of: (event: string) => string;
  readonly ofCall: (event: string) => string | undefined;
};

/** What it is called for people. */
export function moveTitle({ event, isOfCall }: Moving, titles: TitlesByType): string {
  return (isOfCall ? titles.ofCall(event) : undefined) ?? titles.of(event);
}

/** The same event on a way from one state of a task to another: of a request the states say what it is. */
export function movingBetween(event: string, from: string, to: string): Moving {
  const state = event === 'help.requested' ? to : from;
  const isOfCall = event.startsWith('help.') && state === 'blocked.approval';
  return { event, ...(isOfCall && { isOfCall }) };
}
