/** Runs something at most once per interval, however often it is asked to. */
export type Batcher = {
  /** At once when the last run is long enough ago, else when the interval is over. */
  request: () => void;
  /** Now, if it was requested and has not run since. */
  flush: () => void;
  /** Drops what was requested. */
  stop: () => void;
};

/** @param everyMs - Shortest time between two runs. */
export function createBatcher(run: () => void, everyMs: number): Batcher {
  let timer: NodeJS.Timeout | undefined;
  let isRequested = false;

  const flush = () => {
    if (!isRequested) return;
    isRequested = false;
    run();
  };
  const afterInterval = () => {
    timer = undefined;
    if (isRequested) start();
  };
  const start = () => {
    timer = setTimeout(afterInterval, everyMs);
    flush();
  };
  return {
    request: () => {
      isRequested = true;
      if (!timer) start();
    },
    flush,
    stop: () => {
      clearTimeout(timer);
      timer = undefined;
      isRequested = false;
    },
  };
}
