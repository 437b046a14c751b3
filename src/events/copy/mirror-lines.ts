import { ConflictError } from '../log/event-log.ts';
import { AppendCollector } from './line-append.ts';
import type { LineAppend, LineLog } from './line-log.ts';

/**
 * Appends lines of another log, whole appends, to one that has what came before them. Those that are there already are
 * left out: an earlier try may have come so far.
 *
 * @throws {ConflictError} when it is not the same log.
 */
export async function mirrorLines(to: Pick<LineLog, 'appendLines'>, lines: readonly string[]): Promise<void> {
  const collector = new AppendCollector();
  const appends = lines.map((line) => collector.take(line)).filter((append) => append !== undefined);
  try {
    await to.appendLines(appends);
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    for (const append of appends) await appendOnce(to, append);
  }
}

async function appendOnce(to: Pick<LineLog, 'appendLines'>, append: LineAppend): Promise<void> {
  try {
    await to.appendLines([append]);
  } catch (error) {
    const isThere =
      error instanceof ConflictError && error.actual >= append.version + append.lines.length - 1;
    if (!isThere) throw error;
  }
}
