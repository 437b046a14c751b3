import { CliffordError } from '../../../errors.ts';

/** An agent has made the connection. */
export function agentCalls(action: string, run: string): CliffordError {
  return notAHuman(
    `Cannot ${action}: the request comes from a process of an agent (run ${run}), and a human decides`,
    'Decide in a browser that no agent has started',
  );
}

/** Whoever has made it has ended, or has broken it off. */
export function nobodyThere(): CliffordError {
  return notAHuman(
    'Cannot decide: whoever sent this is not there any more, so that it cannot be told from an agent',
    'Send it again, and wait for what comes back',
  );
}

/** It cannot be seen who has. */
export function inDoubt(): CliffordError {
  return notAHuman(
    'Cannot decide: which process of this machine sent this cannot be seen, and it could be one of an agent',
    'Decide at a terminal, or in a browser of yours on this machine',
  );
}

function notAHuman(message: string, fix: string): CliffordError {
  return new CliffordError(message, { code: 'NOT_A_HUMAN', fix, recovery: 'give-up' });
}
