import type { Worker } from '../../runner/worker/worker.ts';
import { onSignals } from '../run/on-interrupt.ts';

/** What each signal says, by how many came before. */
const notes = [
  'leaves when the tasks under way have ended; once more: at once',
  'ends the agents and leaves; once more: waits for nothing',
  'leaves',
];

/** The first signal drains a worker, the second stops it, the third ends it, until the returned function is called. */
export function onLeaveSignals(
  worker: Pick<Worker, 'drain' | 'stop' | 'kill'>,
  note: (text: string) => void,
): () => void {
  let count = 0;
  return onSignals((signal) => {
    const said = notes[count];
    if (said !== undefined) note(`${signal}: ${said}`);
    count += 1;
    if (count === 1) worker.drain(signal);
    else if (count === 2) worker.stop(signal);
    else worker.kill(signal);
  });
}
