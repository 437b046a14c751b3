import { sha256 } from '../../lib/digest.ts';
import type { ChannelPlace } from '../../machines/told.ts';
import type { RemoteChannel } from './remote-channel.ts';

/** A digest of where messages go: of the service, its server, and which bot, chat or address it is there. */
export function placeOf(...parts: readonly string[]): string {
  return sha256(JSON.stringify(parts)).slice(0, 16);
}

/** What an event says of where a channel told something: its name, and the place of its messages. */
export function whereOf({ name, place }: RemoteChannel): ChannelPlace {
  return { channel: name, ...(place === undefined ? {} : { place }) };
}
