import type { NotifyService } from '../../workflow/config/notify-channel-keys.ts';
import type { Message } from './message.ts';
import type { Reply } from './replies/reply.ts';

/** What a service made of a message that it took. */
export type Delivered = {
  /** In a few words, for people: `accepted by ntfy.sh`. No address that is a secret is in it. */
  readonly said: string;
  /** How the service names the message: a reply to it names it, too. */
  readonly ref?: string | undefined;
};

/** Where replies go, and what is said to whoever wrote one. */
export type TakeReply = (reply: Reply) => Promise<string | undefined>;

/** A way to a human who is elsewhere: one for each service, and nothing else knows it. */
export type RemoteChannel = {
  /** Its name in the configuration. */
  readonly name: string;
  readonly service: NotifyService | 'web-push';
  /** Where its messages go, as a digest. Default: it says nothing of that, and calls no message by a name. */
  readonly place?: string;
  /** The longest text of a message that can be answered there, in UTF-16 units. Default: any. */
  readonly mostText?: number;
  /**
   * Has the service deliver a message.
   *
   * @throws {DeliveryError} when it does not take it.
   */
  readonly send: (message: Message, signal: AbortSignal) => Promise<Delivered>;
  /** Whether there is anybody to be told, where that changes. Default: there is. */
  readonly hasReceivers?: () => Promise<boolean>;
  /**
   * Says on a message of before what became of it, and that it can be answered no more.
   *
   * @param remade - The same message as it would be made now, where another process has sent it and nobody remembers its words.
   * @throws {DeliveryError}
   */
  readonly settle?: (
    ref: string,
    text: string,
    signal: AbortSignal,
    remade?: () => Promise<Message>,
  ) => Promise<void>;
  /**
   * Reads answers until `signal` aborts. A failure ends it: whoever called it calls it again, later.
   *
   * @throws {DeliveryError}
   */
  readonly listen?: (take: TakeReply, signal: AbortSignal) => Promise<void>;
  /** What two that listen at once would take from each other: a bot, as a digest. */
  readonly listensAs?: string;
};
