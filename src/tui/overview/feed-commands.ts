import type { RequestState } from '../../machines/project-state.ts';
import type { Project } from '../../workflow/project/project.ts';
import { requestById } from '../../workflow/requests/find-request.ts';
import { decidesCall } from '../feed/feed-offers.ts';
import { feedFiles } from '../feed/feed-files.ts';
import type { Commands } from '../screen/screen-state.ts';
import type { OverviewActor } from './overview-actor.ts';
import { pickedItem, type OverviewState } from './overview-state.ts';

type CommandDeps = {
  readonly project: Pick<Project, 'root' | 'state' | 'subscribe' | 'hideSecrets'>;
  /** The command lines of these calls, taken apart. */
  readonly partsOf: (waiting: readonly RequestState[]) => Promise<Commands>;
};

/**
 * Tells the overview what the commands of the calls do that wait, each once, and anew when a human has decided on a call; and
 * what stands in the files of the one that its cursor is on, when it comes there, and when they change.
 */
export function feedCommands(actor: OverviewActor, { project, partsOf }: CommandDeps): () => void {
  const looked = new Set<string>();
  const picked = () => {
    const item = pickedItem(actor.getSnapshot().context);
    const request = item?.approval ? requestById(project.state, item.id) : undefined;
    return request ? [request] : [];
  };
  const files = feedFiles({
    project,
    calls: picked,
    shown: () => picked()[0]?.id,
    send: (event) => actor.send(event),
  });
  // One after the other: keys have their turn between two that are long.
  const takeApart = async (requests: readonly RequestState[]) => {
    for (const request of requests)
      await partsOf([request]).then(
        (commands) => actor.send({ type: 'taken-apart', commands }),
        // Without it the call is shown all the same.
        () => undefined,
      );
  };
  let lastId: string | undefined;
  const look = (state: OverviewState) => {
    const item = pickedItem(state);
    if (item?.id !== lastId) files.look();
    lastId = item?.id;
    const calls = state.overview.inbox.filter(({ id, approval }) => approval && !looked.has(id));
    const requests = calls.flatMap(({ id }) => requestById(project.state, id) ?? []);
    for (const { id } of requests) looked.add(id);
    void takeApart(requests);
  };
  look(actor.getSnapshot().context);
  const looking = actor.subscribe(({ context }) => look(context));
  const stopListening = project.subscribe((events) => {
    if (decidesCall(events)) looked.clear();
  });
  return () => {
    looking.unsubscribe();
    stopListening();
    files.stop();
  };
}
