import type { NotifyConfig, notifyKeys } from '../workflow/config/notify-keys.ts';
import type { Notice } from './notice.ts';
import type { Standing } from './standing.ts';
import type { NotifyTerminal } from './terminal/notify-terminal.ts';

/** A way to whoever sits at this terminal that is open. */
export type OpenChannel = {
  readonly name: string;
  /** Calls, and says how. */
  readonly call?: (notice: Notice) => string;
  /** Shows how things stand, and says how, if that is another way than before. */
  readonly show?: (standing: Shown) => string | undefined;
  /** Takes back what it shows, until it is told to show something again. */
  readonly hide?: () => void;
  /** Takes back what it shows. Nothing is shown afterwards. May be called in a process that ends: it does not wait. */
  readonly close?: () => void;
};

/** What is shown all the time. */
export type Shown = Pick<Standing, 'done' | 'total' | 'end' | 'stall'> & {
  /** Of the sprint, safe to show. */
  readonly name: string;
  /** How many requests wait for a human. */
  readonly open: number;
};

/** Why a channel is not open here. */
export type Off = { readonly off: string };

/** The description of a way to whoever sits at a terminal: one for each, and nothing else knows it. */
export type Channel = {
  /** Its key in `notify` of the configuration, whose schema is there. */
  readonly name: ChannelKey;
  /** @param terminal - `undefined`: there is none that may be written to. */
  readonly open: (config: NotifyConfig, terminal: NotifyTerminal | undefined) => OpenChannel | Off;
};

type ChannelKey = Exclude<keyof typeof notifyKeys, 'quietHours' | 'rules' | 'channels'>;

/** Makes the description of a channel, which is handed what the configuration says of it, and the terminal. */
export function channel<K extends ChannelKey>(
  name: K,
  open: (wish: Exclude<NotifyConfig[K], false>, terminal: NotifyTerminal) => Omit<OpenChannel, 'name'> | Off,
): Channel {
  return {
    name,
    open: (config, terminal) => {
      const wish = config[name];
      if (!isWanted(wish)) return { off: 'switched off' };
      if (!terminal) return { off: 'this is no terminal that may be written to' };
      const opened = open(wish, terminal);
      return 'off' in opened ? opened : { name, ...opened };
    },
  };
}

function isWanted<T>(wish: T): wish is Exclude<T, false> {
  return wish !== false;
}
