import type { NotifyConfig, notifyKeys } from '../workflow/config/notify-keys.ts';
import type { Notice } from './notice.ts';
import type { Standing } from './standing.ts';
import type { NotifyTerminal } from './terminal/notify-terminal.ts';

/** Where a channel works. */
export type ChannelPlace = {
  /** `undefined`: there is none that may be written to. */
  readonly terminal: NotifyTerminal | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The project's root, absolute. */
  readonly root: string;
};

/** How it went to call a human: what was done, or why it was not. */
export type CallOutcome = { readonly done: string } | { readonly problem: string };

/** A way to a human that is open. */
export type OpenChannel = {
  readonly name: string;
  /**
   * Calls.
   *
   * @param signal - Aborts when it has taken long enough.
   */
  readonly call?: (notice: Notice, signal: AbortSignal) => CallOutcome | Promise<CallOutcome>;
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

/** The description of a way to a human: one for each, and nothing else knows it. */
export type Channel = {
  /** Its key in `notify` of the configuration, whose schema is there. */
  readonly name: ChannelKey;
  /**
   * `here`: it reaches who sits in front of this very terminal. `anywhere`: it reaches a person wherever they are, so one
   * process alone uses it, the one that runs the sprint.
   */
  readonly reach: 'here' | 'anywhere';
  readonly open: (config: NotifyConfig, place: ChannelPlace) => OpenChannel | Off;
};

type ChannelKey = Exclude<keyof typeof notifyKeys, 'quietHours' | 'channels'>;

/** Makes the description of a channel, which is handed what the configuration says of it. */
export function channel<K extends ChannelKey>(
  name: K,
  {
    reach,
    open,
  }: {
    readonly reach: Channel['reach'];
    readonly open: (value: NotifyConfig[K], place: ChannelPlace) => Omit<OpenChannel, 'name'> | Off;
  },
): Channel {
  return {
    name,
    reach,
    open: (config, place) => {
      const opened = open(config[name], place);
      return 'off' in opened ? opened : { name, ...opened };
    },
  };
}

/** Why nothing is written to a terminal here. */
export const noTerminal: Off = { off: 'this is no terminal that may be written to' };

/** Why a channel is off whose key says so. */
export const switchedOff: Off = { off: 'switched off' };
