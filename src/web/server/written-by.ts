import { endOf } from '../../lib/text/end-of.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { MOST_CHARACTERS } from '../../workflow/transcripts/transcript-index.ts';
import type { SentOutput } from '../api/output.ts';
import type { Serving } from './serving.ts';

type Written = { readonly sprint: string; readonly task: string; readonly until?: number | undefined };

/**
 * What the last agents of a task wrote, by now or until an event: the end of it, of all together as much as is given out of one.
 *
 * @param beforeReading - Called in the same turn in which it is read.
 */
export async function writtenBy(
  { histories, output }: Pick<Serving, 'histories' | 'output'>,
  { sprint, task, until = Infinity }: Written,
  beforeReading: () => void = () => {},
): Promise<SentOutput> {
  const { runs } = (await histories.tracks(sprint).read()).lastRuns(task, until);
  beforeReading();
  let left = MOST_CHARACTERS;
  const written = runs.toReversed().map(({ runId, version, time, attempt, agent, speaks, transcript }) => {
    const whole = left === 0 ? { text: '', isCut: true } : output.until(transcript, until);
    const text = endOf(whole.text, left);
    const isCut = whole.isCut || text.length < whole.text.length;
    left -= text.length;
    return { runId, attempt, agent: visibleLine(agent), speaks, startedAt: time, version, text, isCut };
  });
  return { task, runs: written.toReversed() };
}
