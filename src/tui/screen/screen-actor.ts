import {
  createActor,
  fromTransition,
  type ActorRefFromLogic,
  type ActorSystem,
  type ActorSystemInfo,
} from 'xstate';
import type { ScreenEvent, ScreenState, Effect } from './screen-state.ts';
import { stepScreen } from './step-screen.ts';

const logic = fromTransition<ScreenState, ScreenEvent, ActorSystem<ActorSystemInfo>, ScreenState, Effect>(
  (state, event, { emit }) => stepScreen(state, event, emit),
  ({ input }) => input,
);

/** The actor behind a screen: components read its snapshot, keys and news are sent to it, it emits effects. */
export type ScreenActor = ActorRefFromLogic<typeof logic>;

/** Starts the actor of a screen. */
export function startScreenActor(input: ScreenState): ScreenActor {
  return createActor(logic, { input }).start();
}
