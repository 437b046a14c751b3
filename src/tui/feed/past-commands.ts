import type { RequestState } from '../../machines/project-state.ts';
import type { Moment } from '../../workflow/history/history-of.ts';
import type { Commands } from '../screen/screen-state.ts';
import type { ScreenEvent } from '../screen/screen-event.ts';

type PastCommandsDeps = {
  readonly stream: string;
  /** The commands of these requests, taken apart. */
  readonly partsOf: (waiting: readonly RequestState[]) => Promise<Commands>;
  readonly send: (event: ScreenEvent) => void;
};

/**
 * Tells a screen what the commands of the calls do that waited at a moment of the past, each once: what is asked now it hears of by
 * itself, and of those that were decided since nobody else tells.
 */
export function pastCommands({ stream, partsOf, send }: PastCommandsDeps): (moment: Moment) => void {
  const looked = new Set<string>();
  return ({ state }) => {
    const requests = [...(state.streams.get(stream)?.requests.values() ?? [])];
    const fresh = requests.filter(
      ({ id, phase, asked }) => phase === 'open' && asked.approval !== undefined && !looked.has(id),
    );
    if (fresh.length === 0) return;
    for (const { id } of fresh) looked.add(id);
    partsOf(fresh).then(
      (commands) => send({ type: 'taken-apart', commands }),
      // Without them the call is shown all the same.
      () => undefined,
    );
  };
}
