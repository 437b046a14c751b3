import { CliffordError } from '../../../errors.ts';

/** An agent has made the connection. */
export function agentCalls(action: string, run: string): CliffordError {
  return new CliffordError(
    `Cannot ${action}: the request comes from a process of an agent (run ${run}), and a human decides`,
    { code: 'NOT_A_HUMAN', fix: 'Decide in a browser that no agent has started', recovery: 'give-up' },
  );
}

/** Whoever has made it has ended, or has broken it off. */
export function nobodyThere(): CliffordError {
  return new CliffordError(
    'Cannot decide: whoever sent this is not there any more, so that it cannot be told from an agent',
    { code: 'NOT_A_HUMAN', fix: 'Send it again, and wait for what comes back', recovery: 'give-up' },
  );
}

/** It cannot be seen who has. */
export function inDoubt(): CliffordError {
  return new CliffordError(
    'Cannot decide: which process of this machine sent this cannot be seen, and it could be one of an agent',
    {
      code: 'NOT_A_HUMAN',
      fix: 'Decide at a terminal, or in a browser of yours on this machine',
      recovery: 'give-up',
    },
  );
}
