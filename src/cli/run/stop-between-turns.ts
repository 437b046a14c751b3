/**
 * Makes Ctrl-Z stop this process between two turns of the event loop instead of anywhere. The log's
 * lock is never held over a turn, so a process stopped so keeps nobody else waiting for it. Whoever else listens, as a screen
 * does, stops it when the terminal is as the shell needs it.
 */
export function stopBetweenTurns(): void {
  process.once('SIGTSTP', () => {
    const isElsewhere = process.listenerCount('SIGTSTP') > 0;
    // Nobody else listens now, so the system does what it always does: where no shell is there that could
    // let the process go on (`ssh -t host clifford run`), it does not stop it.
    if (!isElsewhere) process.kill(process.pid, 'SIGTSTP');
    stopBetweenTurns();
  });
}
