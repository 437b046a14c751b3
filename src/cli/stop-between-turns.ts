/**
 * Makes Ctrl-Z stop this process between two turns of the event loop instead of anywhere. The log's
 * lock is never held over a turn, so a process stopped so keeps nobody else waiting for it.
 */
export function stopBetweenTurns(): void {
  process.on('SIGTSTP', () => process.kill(process.pid, 'SIGSTOP'));
}
