import type { EventData } from '../events/catalog.ts';

/** A human who is elsewhere was told, through a channel of the configuration. `at` is RFC 3339. */
export type NoticeSent = Pick<EventData<'notify.sent'>, 'channel' | 'about' | 'ref' | 'showsCall'> & {
  readonly at: string;
  /** The message says how the request ended. */
  readonly isSettled?: true | undefined;
};

/** A channel of the configuration has told of the failure of this attempt. */
export type FailureTold = { readonly channel: string; readonly attempt: number };
