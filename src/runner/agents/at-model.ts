/** What makes an agent CLI ask a model at an address of ours, and keep off the network, in an empty home. */
export type AtModel = {
  readonly env: Readonly<Record<string, string>>;
  /** The user's files it needs for that, by their paths below the home. */
  readonly files?: Readonly<Record<string, string>>;
};

/** A key that no provider takes. */
export const NO_KEY = 'sk-dummy';
