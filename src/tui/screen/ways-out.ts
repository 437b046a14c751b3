import type { EffectDeps } from './run-effects.ts';
import type { FollowedRun } from '../feed/follow-run.ts';
import type { ScreenActor } from './screen-actor.ts';
import type { LeftBecause, ShowSprintOptions } from './show-sprint-options.ts';
import { startRefusal } from './start-refusal.ts';

type WaysOutDeps = {
  readonly run: FollowedRun;
  readonly leave: (because: LeftBecause) => void;
  readonly fail: (error: unknown) => void;
};

/** What ends a screen from its keys, and the run behind it. */
export function waysOut(
  actor: ScreenActor,
  options: ShowSprintOptions,
  { run, leave, fail }: WaysOutDeps,
): Pick<EffectDeps, 'stop' | 'kill' | 'detach' | 'askStart' | 'start' | 'go' | 'leave'> {
  const { owner, graceMs, onStop, onKill, onGo } = options;
  const { startsWhat = () => Promise.resolve([]) } = options;
  const unlessRefused = (then: () => void) => {
    const text = startRefusal(options);
    if (text === undefined) return then();
    actor.send({ type: 'told', notice: { tone: 'warning', text } });
  };
  return {
    stop: (key) => {
      if (graceMs !== undefined) actor.send({ type: 'stopping', endsAt: Date.now() + graceMs });
      void onStop(key).then(() => leave('stopped'), fail);
    },
    kill: () => onKill?.(),
    detach: () => leave('detached'),
    askStart: () =>
      unlessRefused(() => {
        // What cannot be told of it is said when it is begun.
        const told = startsWhat().catch(() => []);
        void told.then((starts) => actor.send({ type: 'startable', starts }));
      }),
    // It may have become so meanwhile.
    start: () => unlessRefused(() => leave('start')),
    go: (sprint) => {
      onGo?.(sprint);
      leave('left');
    },
    leave: () => leave(run.isOver() ? 'ended' : owner ? 'stopped' : 'left'),
  };
}
