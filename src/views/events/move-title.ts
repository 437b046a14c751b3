/** An event that moves a machine. */
export type Moving = {
  readonly event: string;
  /** The request that it is about is a call that waits for a yes or no. */
  readonly isOfCall?: boolean | undefined;
};

/** What events about requests are called where these are calls. */
const ofCalls: Readonly<Record<string, string>> = {
  'help.requested': 'Approval asked for',
  'help.answered': 'Call decided',
  'help.dismissed': 'Call dismissed',
};

/** What it is called for people. `titleOf`: what its type is called. */
export function moveTitle({ event, isOfCall }: Moving, titleOf: (event: string) => string): string {
  return (isOfCall ? ofCalls[event] : undefined) ?? titleOf(event);
}

/** The same event on a way from one state of a task to another: of a request the states say what it is. */
export function movingBetween(event: string, from: string, to: string): Moving {
  const state = event === 'help.requested' ? to : from;
  return { event, ...(Object.hasOwn(ofCalls, event) && state === 'blocked.approval' && { isOfCall: true }) };
}
