import type { SprintRunner } from '../runner/sprint-runner.ts';
import { duration } from './text/duration.ts';

/**
 * Says what a run waits for where the log does not: commands, a commit, the end of a usage limit, a sign of
 * life of an agent.
 */
export function tellWaits(runner: SprintRunner, say: (task: string, text: string) => void): void {
  runner.on('prepare', ({ task, commands }) => say(task, `runs before the work: ${commands.join(', ')}`));
  runner.on('commit', ({ task }) => say(task, 'makes its commit'));
  runner.on('wait', ({ task, why }) => say(task, why));
  runner.on('silence', ({ task, silentMs, limitMs }) =>
    say(task, `no sign of life for ${duration(silentMs)}: it is ended after ${duration(limitMs)}`),
  );
}
