import type { SprintRunner } from '../../runner/sprint/sprint-runner.ts';
import { duration } from '../../lib/time/duration.ts';

/** What a person can do about the wait for the end of a usage limit. */
const HOW_TO_END =
  'Ctrl-C ends the wait and keeps the session, clifford run --despite-limit then goes on at once';

/**
 * Says what a run waits for where the log does not: commands, a commit, the end of a usage limit, a sign of
 * life of an agent.
 */
export function tellWaits(runner: SprintRunner, say: (task: string, text: string) => void): void {
  runner.on('prepare', ({ task, commands }) => say(task, `runs before the work: ${commands.join(', ')}`));
  runner.on('verify', ({ task, commands }) => say(task, `verifies the work: ${commands.join(', ')}`));
  runner.on('commit', ({ task }) => say(task, 'makes its commit'));
  runner.on('merge', ({ task, into }) => say(task, `merging into ${into}`));
  runner.on('wait', ({ task, why }) => say(task, `${why}; ${HOW_TO_END}`));
  runner.on('silence', ({ task, silentMs, limitMs }) =>
    say(task, `unresponsive for ${duration(silentMs)}: it is stopped after ${duration(limitMs)}`),
  );
}
