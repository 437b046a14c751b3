import { CliffordError } from '../errors.ts';
import type { Candidate } from '../machines/legality.ts';
import type { Project } from '../workflow/project/project.ts';

/**
 * Records facts, each once where the same array is given again. A log that cannot be written stops no call: it is said, and
 * `false`.
 */
export async function recordIfPossible(
  {
    project,
    report,
  }: { readonly project: Pick<Project, 'record'>; readonly report: (problem: string) => void },
  stream: string,
  facts: readonly Candidate[],
): Promise<boolean> {
  try {
    await project.record(stream, facts);
    return true;
  } catch (error) {
    if (!(error instanceof CliffordError)) throw error;
    report(error.inOneLine);
    return false;
  }
}
