import type { StoredEvent } from '../../events/envelope.ts';
import type { RequestState } from '../../machines/project-state.ts';
import type { Project } from '../../workflow/project/project.ts';
import { lookAtFiles } from './look-at-files.ts';
import type { Offers } from '../../views/call-card.ts';
import type { Commands } from './screen-state.ts';
import type { ScreenEvent } from './screen-event.ts';

type OfferDeps = {
  readonly project: Project;
  readonly stream: string;
  /** What the cards of these requests offer. */
  readonly offersFor: (waiting: readonly RequestState[]) => Promise<Offers>;
  /** Their commands, taken apart. */
  readonly partsOf: (waiting: readonly RequestState[]) => Promise<Commands>;
  readonly send: (event: ScreenEvent) => void;
};

/** A human has decided on a call: what is said of others may be another word now. */
export function decidesCall(events: readonly StoredEvent[]): boolean {
  return events.some(({ type, data }) => type === 'help.answered' && data.verdict !== undefined);
}

/** Tells a screen what the cards of its calls offer: of each when it comes, of all when a human has decided on one. */
export function feedOffers(deps: OfferDeps): () => void {
  const { project, stream, offersFor, partsOf, send } = deps;
  const looked = new Set<string>();
  const seen = new Set<string>();
  const look = () => {
    const requests = [...(project.state.streams.get(stream)?.requests.values() ?? [])];
    const fresh = requests.filter(
      ({ id, phase, asked }) => phase === 'open' && asked.approval !== undefined && !looked.has(id),
    );
    if (fresh.length === 0) return;
    for (const { id } of fresh) looked.add(id);
    // Once: who has all lines shown goes on seeing them.
    lookAtFiles(
      project,
      fresh.filter(({ id }) => !seen.has(id)),
    ).then(
      (looked) => send({ type: 'compared-files', ...looked }),
      () => undefined,
    );
    for (const { id } of fresh) seen.add(id);
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
  return project.subscribe((events) => {
    if (decidesCall(events)) looked.clear();
    look();
  });
}
