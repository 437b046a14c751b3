import { visibleLine } from '../../../lib/text/visible.ts';
import type { WhoRuns } from '../../../views/who-runs.ts';

/** Who is at work on a sprint, in words. */
export function runText(runs: WhoRuns): string {
  switch (runs.is) {
    case 'running':
      return runningText(runs);
    case 'by-hand':
      return 'worked on by hand';
    case 'deserted':
      return 'no runner at work';
    case 'paused':
      return 'paused';
    case 'not-started':
      return 'not started';
    case 'nothing-left':
      return 'nothing left to do';
    case 'failed':
      return 'failed';
    case 'over':
      return 'over';
    case 'empty':
      return 'has no tasks';
    case 'unusable':
      return `cannot be used: ${visibleLine(runs.why)}`;
    case 'outside':
      return '';
  }
}

function runningText({ agents, waiting }: Extract<WhoRuns, { readonly is: 'running' }>): string {
  const namesOf = (names: readonly string[]) => counted(names.map(visibleLine)).join(', ');
  const texts = [
    ...(agents.length === 0 ? [] : [`${namesOf(agents)} at work`]),
    ...(waiting.length === 0
      ? []
      : [`${namesOf(waiting)} ${waiting.length === 1 ? 'waits' : 'wait'} for you`]),
  ];
  return texts.length === 0 ? 'a runner is at work' : texts.join(', ');
}

/** Each once, with how often it is there: `claude ×3`. */
function counted(names: readonly string[]): string[] {
  return [...Map.groupBy(names, (name) => name)].map(([name, all]) =>
    all.length === 1 ? name : `${name} ×${all.length}`,
  );
}

/** Whether somebody has to start a run for it to go on. */
export function needsRunner({ is }: WhoRuns): boolean {
  return is === 'deserted' || is === 'not-started' || is === 'failed' || is === 'nothing-left';
}
