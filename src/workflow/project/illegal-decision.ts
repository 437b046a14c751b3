import { CliffordError } from '../../errors.ts';
import { descriptorOf } from '../../events/catalog.ts';
import { plainWordOf } from '../../machines/status-words.ts';
import { streamOf, taskOf } from '../../events/envelope.ts';
import { printedWord } from '../../lib/text/shell-word.ts';
import type { Candidate, Legality } from '../../machines/legality.ts';
import { type WayReader, waysTo } from './ways-to-decide.ts';

type Refusal = Extract<Legality, { legal: false }>;

/** A decision the machines refuse, in words for whoever decided. Nothing was appended. */
export class IllegalDecision extends CliffordError {
  override readonly name = 'IllegalDecision';
  readonly verdict: Refusal;

  constructor(event: Candidate, verdict: Refusal, reader: WayReader) {
    const what = whatOf(event);
    const who = verdict.who === what ? 'it' : verdict.who;
    super(`Cannot ${verbOf(event)} ${what}: ${who} ${reasonOf(event, verdict)}`, {
      code: 'ILLEGAL',
      fix: fixOf(event, verdict, reader),
      recovery: 'give-up',
    });
    this.verdict = verdict;
  }
}

/** Observations have no verb: no machine refuses one. */
function verbOf({ type }: Candidate): string {
  const descriptor = descriptorOf(type);
  return descriptor.kind === 'decision' ? descriptor.verb : `record ${type} of`;
}

/** As verdicts name it. */
function whatOf({ type, data, subject }: Candidate): string {
  if (type === 'help.answered' || type === 'help.dismissed') return `request ${data.requestId}`;
  const taskId = taskOf(subject);
  return taskId === undefined ? `sprint ${streamOf(subject)}` : `task ${taskId}`;
}

/** `is pending`, `is paused`, `is done`. */
function reasonOf(event: Candidate, { who, state }: Refusal): string {
  const [word = '', detail] = state.split('.');
  const named = plainWordOf(word, detail);
  const isRun = who.startsWith('task ') && word !== 'done' && speaksForRun(event);
  return isRun ? `is ${named}, and this attempt at it has ended` : `is ${named}`;
}

/** Says an attempt this of its own task? Its machine takes that from the current one alone. */
function speaksForRun({ type, data }: Candidate): boolean {
  if (type === 'help.requested') return data.origin.runId !== undefined;
  return (type === 'task.blocked' || type === 'task.completed') && data.runId !== undefined;
}

function fixOf(event: Candidate, { who, state, possible, unmerged }: Refusal, reader: WayReader): string {
  if (unmerged && !reader.isAgent) return mergeWays(event, unmerged);
  const types = possible.filter((type) => type !== event.type);
  // A run of a paused sprint would only wait.
  const isPaused = state === 'active.paused';
  const others = waysTo(
    types.filter((type) => !(isPaused && type === 'sprint.started')),
    event,
    reader,
  );
  const isOver = state.startsWith('done.');
  // What is over waits for no run: a sprint can only be given more to do, and that by a human.
  if (others.length === 0 && types.includes('sprint.amended') && !reader.isAgent)
    return `It is over. For more to do: clifford task add <id> "…" --sprint ${streamOf(event.subject)}`;
  if (others.length === 0 && types.length > 0 && !isOver)
    return 'Wait until the run has done its part: clifford status';
  if (others.length === 0) return 'It is over: nothing can be decided about it any more';
  return `Possible ${who === whatOf(event) ? '' : `for ${who} `}now: ${others.join(', ')}`;
}

/** What a person can do about a task that is done, and whose changes are not merged. */
function mergeWays({ subject }: Candidate, { question }: NonNullable<Refusal['unmerged']>): string {
  const [stream, task] = [streamOf(subject), taskOf(subject) ?? ''].map(printedWord);
  const drop = `clifford clean --drop ${task} --sprint ${stream}`;
  if (!question)
    return `Its changes are not merged yet. To give them up, while no run is at work on it (clifford stop ${stream} ends one): ${drop}`;
  const choices = (question.asked.options ?? []).map((option, at) => `${at + 1} (${option})`).join(', ');
  return (
    `Its changes could not be merged. Say what becomes of them: clifford answer ${question.id} --option ${choices}; ` +
    `or give them up: ${drop}`
  );
}
