/** Nothing was stopped, if it goes on after this time, in ms. */
const NOT_STOPPED_MS = 100;

/**
 * Stops this process and those of its group, as Ctrl+Z does in a terminal, and resolves when it goes on. Where no shell
 * could let it go on, the system stops nothing.
 */
export async function stopHere(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  process.once('SIGCONT', resolve);
  // The signal may be heard in a turn of the event loop, and timers have theirs before that.
  const timer = setTimeout(() => setImmediate(resolve), NOT_STOPPED_MS);
  try {
    // All of the group: a shell looks at its first process, which may be npx.
    process.kill(0, 'SIGTSTP');
    await promise;
  } finally {
    clearTimeout(timer);
    process.off('SIGCONT', resolve);
  }
}
