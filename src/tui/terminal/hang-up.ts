import { ownPid, readProcess } from '../../lib/processes/process-table.ts';

/** How often it is looked whether the terminal is lost, in ms. */
const LOOK_EVERY_MS = 2_000;

/**
 * Has this process told, by SIGHUP, that its terminal is lost, where the system does not tell it: the keyboard cannot be
 * read any more; or its shell was killed, and another process group has the terminal, so that nobody can bring it back.
 *
 * @returns the function that ends it.
 */
export function hangUpWhenLost(stdin: NodeJS.ReadStream): () => void {
  const hangUp = () => void process.kill(process.pid, 'SIGHUP');
  const onError = ({ syscall }: NodeJS.ErrnoException) => {
    if (syscall === 'read') hangUp();
  };
  const { ppid } = process;
  const timer = setInterval(() => {
    if (process.ppid === ppid || !isInBackground()) return;
    clearInterval(timer);
    hangUp();
  }, LOOK_EVERY_MS).unref();
  stdin.on('error', onError);
  return () => {
    clearInterval(timer);
    stdin.off('error', onError);
  };
}

/** Whether another process group has the terminal. Linux only. */
function isInBackground(): boolean {
  const own = readProcess(ownPid());
  return own !== undefined && own.foreground !== own.group;
}
