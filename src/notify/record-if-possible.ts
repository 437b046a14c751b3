import { once } from 'node:events';
import { CliffordError } from '../errors.ts';
import type { Candidate } from '../machines/legality.ts';
import type { Project } from '../workflow/project/project.ts';

/** Where something is recorded, and who is told why it was not. */
type Recording = {
  readonly project: Pick<Project, 'record'>;
  readonly report: (problem: string) => void;
};

/**
 * Records facts, each once where the same array is given again. A log that cannot be written stops no call: that is said, and
 * `false` is returned. So it is where `signal` aborts first, of which nothing is said: they may be recorded later.
 */
export async function recordIfPossible(
  { project, report }: Recording,
  stream: string,
  facts: readonly Candidate[],
  signal: AbortSignal,
): Promise<boolean> {
  if (signal.aborted) return false;
  const over = new AbortController();
  const isAborted = once(signal, 'abort', { signal: over.signal }).then(
    () => false,
    () => false,
  );
  const isRecorded = project.record(stream, facts).then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof CliffordError)) throw error;
      report(error.inOneLine);
      return false;
    },
  );
  try {
    return await Promise.race([isRecorded, isAborted]);
  } finally {
    over.abort();
  }
}
