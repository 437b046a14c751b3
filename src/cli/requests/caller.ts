import { fstatSync, writeSync } from 'node:fs';
import { sha256 } from '../../lib/digest.ts';
import { identify } from '../../lib/processes/process-identity.ts';
import { codeOf } from '../../lib/system-error.ts';

/** No notification tells a process that its parent has died: it has to look, so often (ms). */
const LOOK_EVERY_MS = 1_000;
const STDOUT = 1;

/**
 * A name for the process that started this one, for agents that no runner started: the same at each
 * call, as long as that process lives. So its next call is known as its own.
 */
export function callerId(): string {
  const { pid, processStart, bootId } = identify(process.ppid);
  const life = sha256(`${bootId} ${processStart}`, 'hex').slice(0, 12);
  return `cli-${pid}-${life}`;
}

/**
 * Calls `onGone` when the process that started this one has ended, or has closed the socket that is
 * our stdout, until the returned function is called. A closed stdin says nothing: many agents start
 * commands with one.
 */
export function watchCaller(onGone: (why: string) => void): () => void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== parent) onGone('the process that asked has ended');
    else if (isReaderGone()) onGone('the process that asked has closed its end');
  }, LOOK_EVERY_MS).unref();
  return () => clearInterval(timer);
}

/** Whether nobody can read stdout any more, as far as a socket tells without writing. */
function isReaderGone(): boolean {
  if (!fstatSync(STDOUT).isSocket()) return false;
  try {
    // No bytes reach the reader, but a socket that was closed on the other side refuses them.
    writeSync(STDOUT, Buffer.alloc(0));
    return false;
  } catch (error) {
    return codeOf(error) === 'EPIPE';
  }
}
