/** How far a call has come: `progress` grows with each. */
export type CallProgress = {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
};

/** What a request to a server may take, and who wants to hear of it. */
export type CallOptions = {
  /** Ends the call; the server is told. */
  readonly signal?: AbortSignal;
  /** Called for each notification of progress the server sends, in its order. */
  readonly onProgress?: (progress: CallProgress) => void;
  /** Wall-clock limit in ms, whatever progress there is; the `timeoutMs` of its configuration by default. */
  readonly timeoutMs?: number;
};
