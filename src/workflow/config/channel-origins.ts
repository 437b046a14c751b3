import { keyText } from './config-keys.ts';
import type { ConfigReading } from './load-config.ts';

/** One key of a channel, as it stands in a file: variables by their names. */
export type ChannelLine = {
  /** Within the channel: `chat`, `answers.ada`. */
  readonly key: string;
  readonly written: unknown;
  /** For people: `clifford.json:7`. */
  readonly origin: string;
};

/** What the files say of a channel of `notify`, and whether a file that may come with a checkout has a part in it. */
export type ChannelOrigins = { readonly lines: readonly ChannelLine[]; readonly isOfProject: boolean };

/** Files of the user's own are named from their home, or from the root of the machine. */
const OWN_FILE = /^(?:~|[/\\]|[A-Za-z]:)/;

/** Where each key of a channel comes from. */
export function channelOrigins({ origins }: Pick<ConfigReading, 'origins'>, name: string): ChannelOrigins {
  const before = `${keyText(['notify', 'channels', name])}.`;
  const own = [...origins].filter(([key]) => key.startsWith(before));
  return {
    lines: own.map(([key, { written, origin }]) => ({ key: key.slice(before.length), written, origin })),
    isOfProject: own.some(([, { rank, origin }]) => rank === 0 || !OWN_FILE.test(origin)),
  };
}
