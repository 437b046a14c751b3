import type { EventData } from '../events/catalog.ts';

/** A channel of the configuration, and where its messages go. */
export type ChannelPlace = Pick<EventData<'notify.sent'>, 'channel' | 'place'>;

/**
 * Whether somebody was told there. A channel that was given another bot, chat or address has told nobody there, and what a message was called
 * where it went before may be the name of another one.
 */
export function isToldAt(told: ChannelPlace, { channel, place }: ChannelPlace): boolean {
  return told.channel === channel && told.place === place;
}

/** A human who is elsewhere was told, through a channel of the configuration. `at` is RFC 3339. */
export type NoticeSent = ChannelPlace &
  Pick<EventData<'notify.sent'>, 'about' | 'ref' | 'showsCall'> & {
    readonly at: string;
    /** The message says how the request ended. */
    readonly isSettled?: true | undefined;
  };

/** A channel of the configuration has told of the failure of this attempt. */
export type FailureTold = ChannelPlace & { readonly attempt: number };
