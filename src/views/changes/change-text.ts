import { answerLine } from '../../events/form/answers-text.ts';
import { because } from '../../events/text-parts.ts';
import { shownAnswer } from '../calls/shown-words.ts';
import { count } from '../../lib/text/count.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import type { Change } from '../events/changes-between.ts';
import { outcomeWords } from '../events/decided-text.ts';
import { usageText } from '../sprints/usage-text.ts';

/** A change on one line, for people, safe to print: what has become of something, and what it was. */
export function changeText(change: Change): string {
  return visibleLine(textOf(change));
}

/** A yes or no alone says no more than what became of it. */
const bareWord = /^(?:yes|no)?$/i;

type Words = { readonly is: string; readonly was: string };

const ends = {
  'done.completed': { is: 'is done', was: 'done' },
  'done.failed': { is: 'has failed', was: 'failed' },
  'done.skipped': { is: 'is skipped', was: 'skipped' },
  'done.cancelled': { is: 'is cancelled', was: 'cancelled' },
};

/** What the states of a task mean. */
const taskStates: Readonly<Record<string, Words>> = {
  pending: { is: 'is pending', was: 'pending' },
  'active.starting': { is: 'is being started', was: 'being started' },
  'active.working': { is: 'is being worked on', was: 'being worked on' },
  'active.retrying': { is: 'will be tried again', was: 'to be tried again' },
  'blocked.question': { is: 'waits for an answer', was: 'waiting for an answer' },
  'blocked.approval': { is: 'waits for a yes or no', was: 'waiting for a yes or no' },
  'blocked.prompt': { is: 'waits at a prompt', was: 'waiting at a prompt' },
  ...ends,
};

/** What those of a sprint mean. */
const sprintStates: Readonly<Record<string, Words>> = {
  absent: { is: 'is not there', was: 'not there' },
  pending: { is: 'is pending', was: 'pending' },
  'active.running': { is: 'is running', was: 'running' },
  'active.paused': { is: 'is paused', was: 'paused' },
  blocked: { is: 'waits for a human', was: 'waiting for a human' },
  ...ends,
};

function textOf(change: Change): string {
  switch (change.kind) {
    case 'sprint':
      return `the sprint ${becameText(sprintStates, change)}`;
    case 'task':
      return `${change.task} ${becameText(taskStates, change)}`;
    case 'attempt':
      return `${change.task} is at attempt ${change.to}${change.from > 0 ? ` (was at ${change.from})` : ''}`;
    case 'failures':
      return `${change.task} failed ${count(change.more, 'time')}${because(change.last)}`;
    case 'commit':
      return `${change.task} ${'sha' in change.commit ? `has its commit ${change.commit.sha.slice(0, 12)}` : `has no commit: ${change.commit.reason}`}`;
    case 'asked':
      return `${change.request.task ?? 'the sprint'} asked: ${change.request.question}`;
    case 'closed': {
      const { request } = change;
      const { task = 'the sprint', answer, dismissal } = request;
      if (answer) {
        const response = shownAnswer(request, answer);
        const line = answerLine({ ...answer, response });
        const said = `by ${answer.by}${because(line)}`;
        if (answer.rephrase) return `what ${task} asked is ${outcomeWords.rephrased}, ${said}`;
        if (answer.rejected) return `what ${task} asked was ${outcomeWords.rejected} ${said}`;
        if (answer.verdict === undefined) return `${task} was answered ${said}`;
        return `a call of ${task} was ${outcomeWords[answer.verdict]} by ${answer.by}${because(bareWord.test(response.trim()) ? undefined : response)}`;
      }
      return `what ${task} asked was dismissed${because(dismissal?.reason)}`;
    }
    case 'usage':
      return `${change.task ?? 'all tasks together'} used ${usageText(change.more)}`;
    case 'calls':
      return count(change.more, 'tool call');
  }
}

type Became = Pick<Extract<Change, { readonly kind: 'sprint' | 'task' }>, 'from' | 'to' | 'why'>;

/** `has failed: exit 1 (was being worked on)`; of what was not there before, what it is. */
function becameText(states: Readonly<Record<string, Words>>, { from, to, why }: Became): string {
  const is = (states[to]?.is ?? `is ${to}`) + because(why);
  if (from === undefined || from === 'absent') return `is new, and ${is}`;
  return `${is} (was ${states[from]?.was ?? from})`;
}
