import type { StoredEvent } from '../../events/envelope.ts';
import type { RequestState } from '../../machines/project-state.ts';
import type { Project } from '../../workflow/project/project.ts';
import { feedFiles } from './feed-files.ts';
import type { Offers } from '../../views/calls/call-card.ts';
import type { Commands } from '../screen/screen-state.ts';
import type { ScreenEvent } from '../screen/screen-event.ts';

type OfferDeps = {
  readonly project: Project;
  readonly stream: string;
  /** What the cards of these requests offer. */
  readonly offersFor: (waiting: readonly RequestState[]) => Promise<Offers>;
  /** Their commands, taken apart. */
  readonly partsOf: (waiting: readonly RequestState[]) => Promise<Commands>;
  /** The question that is shown, by its id. */
  readonly shown: () => string | undefined;
  readonly send: (event: ScreenEvent) => void;
};

/** A human has decided on a call: what is said of others may be another word now. */
export function decidesCall(events: readonly StoredEvent[]): boolean {
  return events.some(({ type, data }) => type === 'help.answered' && data.verdict !== undefined);
}

/** Tells a screen what the cards of its calls offer: of each when it comes, of all when a human has decided on one. */
export function feedOffers(deps: OfferDeps): () => void {
  const { project, stream, offersFor, partsOf, shown, send } = deps;
  const looked = new Set<string>();
  const calls = () =>
    [...(project.state.streams.get(stream)?.requests.values() ?? [])].filter(
      ({ phase, asked }) => phase === 'open' && asked.approval !== undefined,
    );
  const files = feedFiles({ project, calls, shown, send });
  const look = () => {
    const fresh = calls().filter(({ id }) => !looked.has(id));
    if (fresh.length === 0) return;
    for (const { id } of fresh) looked.add(id);
    files.look();
    partsOf(fresh).then(
      (commands) => send({ type: 'taken-apart', commands }),
      () => undefined,
    );
    // What is wrong with the log the screen hears from whoever follows it.
    offersFor(fresh).then(
      (offers) => send({ type: 'offered', offers }),
      () => undefined,
    );
  };
  look();
  const stopListening = project.subscribe((events) => {
    if (decidesCall(events)) looked.clear();
    look();
  });
  return () => {
    stopListening();
    files.stop();
  };
}
