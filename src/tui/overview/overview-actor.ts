import {
  createActor,
  fromTransition,
  type ActorRefFromLogic,
  type ActorSystem,
  type ActorSystemInfo,
} from 'xstate';
import type { OverviewEffect, OverviewEvent, OverviewState } from './overview-state.ts';
import { stepOverview } from './step-overview.ts';

const logic = fromTransition<
  OverviewState,
  OverviewEvent,
  ActorSystem<ActorSystemInfo>,
  OverviewState,
  OverviewEffect
>(
  // An actor that is stopped is told so as if by an event.
  (state, event, { emit }) =>
    String(event.type).startsWith('xstate.') ? state : stepOverview(state, event, emit),
  ({ input }) => input,
);

/** The actor behind the overview: components read its snapshot, keys and news are sent to it, it emits where the person goes. */
export type OverviewActor = ActorRefFromLogic<typeof logic>;

/** Starts it. */
export function startOverviewActor(input: OverviewState): OverviewActor {
  return createActor(logic, { input }).start();
}
