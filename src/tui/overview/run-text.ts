import { count } from '../../lib/text/count.ts';
import { stripAgentLine } from '../../lib/text/sanitise.ts';
import { waitsText } from '../../views/waits-text.ts';
import type { WhoRuns } from '../../views/who-runs.ts';

type Running = Extract<WhoRuns, { readonly is: 'running' }>;

/** Who is at work on a sprint, and in a list what Enter would do about nobody being: the fullest text first. */
export function runTexts(runs: WhoRuns): readonly string[] {
  const offered = offeredTexts[runs.is] ?? [];
  return [...offered, ...whoTexts(runs)];
}

/** The same in a field, where the last line names the keys. */
export function whoRunsText(runs: WhoRuns): string {
  return whoTexts(runs)[0] ?? '';
}

/** Where there is room for it. */
const offeredTexts: Partial<Record<WhoRuns['is'], readonly string[]>> = {
  deserted: ['no runner at work: Enter starts one'],
  'not-started': ['nobody runs it: Enter starts it', 'Enter starts it'],
  'nothing-left': ['nothing is left to do: Enter completes it', 'Enter completes it', 'Enter ends'],
  failed: ['r runs it again', 'r: again'],
};

function whoTexts(runs: WhoRuns): readonly string[] {
  switch (runs.is) {
    case 'running':
      return runningTexts(runs);
    case 'by-hand':
      return ['worked on by hand', 'by hand'];
    case 'deserted':
      return ['no runner at work', 'no runner'];
    case 'paused':
      return ['paused, no runner at work', 'no runner'];
    // That it is pending, or has failed, says it in a list.
    case 'not-started':
    case 'failed':
      return ['nobody runs it', ''];
    case 'nothing-left':
      return ['nobody runs it: nothing is left to do', 'nothing left'];
    case 'empty':
      return ['it has no tasks', 'no tasks'];
    case 'unusable':
      return [stripAgentLine(runs.why), 'unusable'];
    case 'outside':
      return ['outside of any sprint', 'no sprint'];
    case 'over':
      return [''];
  }
}

function runningTexts({ agents, waiting }: Running): readonly string[] {
  if (agents.length === 0 && waiting.length > 0) return waitingTexts(waiting);
  const [first, second] = agents;
  if (first === undefined) return ['a runner is at work', 'runner', 'runs'];
  if (second !== undefined)
    return [
      ...alsoWaiting(`${count(agents.length, 'agent')} at work`, waiting),
      `${count(agents.length, 'agent')} at work`,
      count(agents.length, 'agent'),
    ];
  const name = stripAgentLine(first);
  return [...alsoWaiting(`${name} at work`, waiting), `${name} at work`, name, 'at work'];
}

function alsoWaiting(atWork: string, { length }: readonly string[]): readonly string[] {
  return length === 0 ? [] : [`${atWork}, ${waitsText(length)} for you`];
}

/** Nobody is at work: all that there are wait for a human. */
function waitingTexts(waiting: readonly string[]): readonly string[] {
  const [first = '', second] = waiting;
  if (second !== undefined) return [`${count(waiting.length, 'agent')} wait for you`, 'wait for you', 'wait'];
  return [`${stripAgentLine(first)} waits for you`, 'waits for you', 'waits'];
}
