import { count } from '../../lib/text/count.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { waitsText, waitVerb } from '../requests/waits-text.ts';
import type { WhoRuns } from './who-runs.ts';

type Running = Extract<WhoRuns, { readonly is: 'running' }>;

/** For whom something waits: whoever reads it decides, or others do. */
export type Whom = 'you' | 'others';

/** Who is at work on a sprint, in words: the fullest text first. An empty one where its state says it all. */
export function runTexts(runs: WhoRuns, whom: Whom = 'you'): readonly [string, ...string[]] {
  switch (runs.is) {
    case 'running':
      return runningTexts(runs, whom);
    case 'by-hand':
      return ['worked on by hand', 'by hand'];
    case 'queued':
      return ['waits in the queue for a worker', 'waits in the queue', 'in the queue', 'queued'];
    case 'deserted':
      return ['no runner at work', 'no runner'];
    case 'paused':
      return ['paused, no runner at work', 'no runner'];
    case 'not-started':
    case 'failed':
      return ['nobody runs it', ''];
    case 'nothing-left':
      return ['nothing is left to do', 'nothing left'];
    case 'empty':
      return ['it has no tasks', 'no tasks'];
    case 'unusable':
      return [visibleLine(runs.why), 'unusable'];
    case 'outside':
      return ['outside of any sprint', 'no sprint'];
    case 'over':
      return [''];
  }
}

function runningTexts({ agents, waiting }: Running, whom: Whom): readonly [string, ...string[]] {
  if (agents.length === 0) return waiting.length === 0 ? noAgentTexts : waitingTexts(waiting, whom);
  const atWork = `${namesOf(agents)} at work`;
  if (waiting.length === 0) return [atWork, ...shorterTexts(agents)];
  const named = `${namesOf(waiting)} ${waitFor(waiting, whom)}`;
  const counted = `${waitsText(waiting.length)} for ${whom}`;
  return [`${atWork}, ${named}`, `${atWork}, ${counted}`, ...shorterTexts(agents, `, ${counted}`)];
}

const noAgentTexts = ['a runner is at work', 'runner', 'runs'] as const;

/** @param rest - What else is said where there is room for it. */
function shorterTexts(agents: readonly string[], rest = ''): readonly string[] {
  const who = agents.length === 1 ? namesOf(agents) : count(agents.length, 'agent');
  return [`${who} at work${rest}`, `${who} at work`, who, 'at work'];
}

/** Nobody is at work: all that there are wait for a human. */
function waitingTexts(waiting: readonly string[], whom: Whom): readonly [string, ...string[]] {
  const [waits, verb] = [waitFor(waiting, whom), waitVerb(waiting.length)];
  return [`${namesOf(waiting)} ${waits}`, `${count(waiting.length, 'agent')} ${waits}`, waits, verb];
}

function waitFor({ length }: readonly string[], whom: Whom): string {
  return `${waitVerb(length)} for ${whom}`;
}

/** Each once, with how often it is there: `claude ×3, codex`. */
function namesOf(agents: readonly string[]): string {
  return [...Map.groupBy(agents.map(visibleLine), (name) => name)]
    .map(([name, all]) => (all.length === 1 ? name : `${name} ×${all.length}`))
    .join(', ');
}
