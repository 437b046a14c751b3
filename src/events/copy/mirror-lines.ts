import { ConflictError } from '../log/event-log.ts';
import { AppendCollector } from './line-append.ts';
import type { LineLog } from './line-log.ts';

/** What is appended to by one process alone. */
type Target = Pick<LineLog, 'appendLines' | 'lines'>;

/**
 * Appends lines of another log, whole appends, to one that has what came before them. Those that are there already are
 * left out: an earlier try may have come so far.
 *
 * @throws {ConflictError} when it is not the same log.
 */
export async function mirrorLines(to: Target, lines: readonly string[]): Promise<void> {
  const collector = new AppendCollector();
  const appends = lines.map((line) => collector.take(line)).filter((append) => append !== undefined);
  try {
    await to.appendLines(appends);
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    const there = await among(to, new Set(lines));
    await to.appendLines(appends.filter((append) => !append.lines.every((line) => there.has(line))));
  }
}

/** Those of `lines` that stand in a log, to the last byte: another line at the same place is none of them. */
async function among(log: Target, lines: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const there = new Set<string>();
  for await (const batch of log.lines()) for (const line of batch) if (lines.has(line)) there.add(line);
  return there;
}
