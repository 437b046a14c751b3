import type { Project } from '../../workflow/project/project.ts';
import { recordAnswers } from './answer-effects.ts';
import { decideCalls } from './call-effects.ts';
import { decideActs } from './decide-acts.ts';
import type { StopKey } from './focus.ts';
import { Recording } from '../terminal/recording.ts';
import type { ScreenActor } from './screen-actor.ts';
import type { ShowSprintOptions } from './show-sprint-options.ts';

/** What screens do outside of them. */
export type EffectDeps = Pick<ShowSprintOptions, 'reveal' | 'edit' | 'endLeftAgents'> & {
  readonly project: Project;
  /** The sprint's stream. */
  readonly stream: string;
  /** The human in front of the screen. */
  readonly by: string;
  readonly stop: (key: StopKey) => void;
  readonly decided: () => void;
  readonly runAgain: (retries: boolean) => void;
  readonly kill: () => void;
  readonly detach: () => void;
  readonly leave: () => void;
  /** Leaves for another sprint. */
  readonly go: (sprint: string) => void;
  /** Asks whether the sprint is to be run, where it may have a run. */
  readonly askStart: () => void;
  /** Leaves for a run of the sprint, where it may have one. */
  readonly start: () => void;
  /** Ends the screen with an error. */
  readonly fail: (error: unknown) => void;
};

/** Runs the effects that a screen emits, and tells it what became of them. */
export function runEffects(actor: ScreenActor, deps: EffectDeps): Pick<Recording, 'settled'> {
  const { by, stop, runAgain, kill, detach, leave, go, askStart, start, fail } = deps;
  const recording = new Recording(actor, fail);
  const recorded = { ...deps, recording, answerer: { by, via: 'tui' } };
  recordAnswers(actor, recorded);
  decideCalls(actor, recorded);
  decideActs(actor, recorded);
  actor.on('stop', ({ key }) => stop(key));
  actor.on('run-again', ({ retries }) => runAgain(retries));
  actor.on('kill', kill);
  actor.on('detach', detach);
  actor.on('leave', leave);
  actor.on('go', ({ sprint }) => go(sprint));
  actor.on('ask-start', askStart);
  actor.on('start', start);
  return recording;
}
