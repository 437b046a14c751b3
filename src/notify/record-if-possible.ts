import { once } from 'node:events';
import { CliffordError } from '../errors.ts';
import type { Project } from '../workflow/project/project.ts';

/** Where something is recorded, and who is told why it was not. */
type Recording = {
  readonly project: Pick<Project, 'record'>;
  readonly report: (problem: string) => void;
};

/**
 * Records facts, each once where the same array is given again. A log that cannot be written stops no call: it is said, and
 * `false`. So is what is not recorded when `signal` aborts: it may be later.
 */
export async function recordIfPossible(
  { project, report }: Recording,
  stream: string,
  facts: Parameters<Project['record']>[1],
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
