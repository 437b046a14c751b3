import { mayStart } from '../../views/sprints/who-runs.ts';
import type { Clock } from '../terminal/clock.ts';
import type { OverviewActor } from './overview-actor.ts';
import type { OverviewState } from './overview-state.ts';

/** Of these sprints those that no run can begin, since nothing names an agent for one of their tasks: what to do about that. */
export type MissingAgents = (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** While one is missing it is looked for again after so long, in ms: no event says that it was configured. */
const AGAIN_MS = 3_000;

type AgentDeps = { readonly clock: Clock; readonly missingAgents: MissingAgents };

/** Tells the overview which sprints have no agent: when there are others that could be run, and until all have one. */
export function feedAgents(actor: OverviewActor, { clock, missingAgents }: AgentDeps): () => void {
  let asked: string | undefined;
  let askedAt = clock.now();
  let isOver = false;
  const look = ({ overview }: OverviewState, isAgain = false) => {
    const ids = overview.rows.flatMap(({ sprint, runs }) => (mayStart(runs) === 'no' ? [] : [sprint.id]));
    const key = ids.toSorted().join('\n');
    if (key === asked && !isAgain) return;
    asked = key;
    askedAt = clock.now();
    // What is wrong with the configuration is said by the run.
    missingAgents(ids).then(
      (agentless) => {
        if (!isOver) actor.send({ type: 'agents', agentless });
      },
      () => undefined,
    );
  };
  look(actor.getSnapshot().context);
  const looking = actor.subscribe(({ context }) => look(context));
  const stopClock = clock.subscribe(() => {
    const { context } = actor.getSnapshot();
    if (context.agentless.size > 0 && clock.now() - askedAt >= AGAIN_MS) look(context, true);
  });
  return () => {
    isOver = true;
    looking.unsubscribe();
    stopClock();
  };
}
