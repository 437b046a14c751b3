/**
 * Makes Ctrl-Z stop this process between two turns of the event loop instead of anywhere. The log's
 * lock is never held over a turn, so a process stopped so keeps nobody else waiting for it.
 */
export function stopBetweenTurns(): void {
  process.once('SIGTSTP', () => {
    // Nobody listens now, so the system does what it always does: where no shell is there that could
    // let the process go on (`ssh -t host clifford run`), it does not stop it.
    process.kill(process.pid, 'SIGTSTP');
    stopBetweenTurns();
  });
}
