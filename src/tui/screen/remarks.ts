import { nobodyWaitsText } from '../../views/requests/nobody-waits.ts';
import { looksSecret } from '../../events/secrets/looks-secret.ts';
import { asksSecret } from '../../views/requests/asks-secret.ts';
import { SECRET_ASKED_TEXT } from '../../views/requests/secret-asked-text.ts';
import { editOutcome } from '../../workflow/requests/edited-call.ts';
import { clockText } from '../../lib/time/clock-text.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { numbersListed, optionsWithNumbers, optionTyped } from '../../lib/text/option-meant.ts';
import { count } from '../../lib/text/count.ts';
import { agentsAtWork } from '../feed/sprint-now.ts';
import { batchOf, currentQuestion } from './current-question.ts';
import type { ScreenState } from './screen-state.ts';
import { draftText } from '../drafts/drafts.ts';
import { choosable, currentForm } from '../drafts/form-state.ts';
import { currentWords } from '../keys/answer-keys.ts';
import type { Words } from '../../views/requests/answer-choice.ts';
import { shownTask } from './browsing.ts';
import { isActing } from './focus.ts';
import { actTitle } from '../text/act-lines.ts';
import type { Remark } from '../text/remark.ts';
import { pastRemarks } from '../past/past-remarks.ts';
import { troubleText } from '../../views/text/trouble-text.ts';
import { setAsideText } from '../../views/requests/set-aside-text.ts';
import type { Question } from '../../views/sprints/sprint-view.ts';
import { colors, lookOf } from '../terminal/theme.ts';

/** What there is to say about what was typed, what became of it, and how the sprint ended: what matters most first. */
export function remarksOf(state: ScreenState, secondsLeft?: number): Remark[] {
  if (state.past) return [...confirmation(state), ...noticeLine(state), ...pastRemarks(state)];
  return [
    ...confirmation(state),
    ...aboutTrouble(state),
    ...aboutEdit(state),
    ...aboutEnd(state, secondsLeft),
    ...aboutPause(state),
    ...aboutDraft(state),
    ...noticeLine(state),
    ...aboutUnkept(state),
    ...aboutNotes(state),
    ...aboutWaiting(state),
  ];
}

function aboutTrouble({ trouble }: ScreenState): Remark[] {
  return trouble ? [{ text: visibleLine(troubleText(trouble)), color: colors.warning }] : [];
}

function aboutUnkept({ unkept }: ScreenState): Remark[] {
  if (unkept === undefined) return [];
  return [{ text: `What you type is not saved, this screen alone has it: ${unkept}`, color: colors.warning }];
}

/** What the agent of the task that is shown has not heard yet. */
function aboutNotes(state: ScreenState): Remark[] {
  const shown = shownTask(state);
  const { unheard } = state.sprint.tasks.find(({ id }) => id === shown) ?? {};
  // What has just been written is said by itself.
  if (unheard === undefined || state.notice) return [];
  return [{ text: `${count(unheard, 'note')} to its agent, not heard yet` }];
}

/** Which of the two happens to a call that is changed, before it does. */
function aboutEdit(state: ScreenState): Remark[] {
  const { approval, sprint } = currentQuestion(state) ?? {};
  if (state.focus.at !== 'edit' || !approval || sprint === undefined) return [];
  return [{ text: `Enter: ${editOutcome(approval, sprint)}`, color: colors.warning }];
}

function aboutDraft(state: ScreenState): Remark[] {
  const question = currentQuestion(state);
  const text = draftText(state);
  if (isActing(state.focus)) return looksSecret(text) ? [likeSecret] : [];
  if (!question) return [];
  return [
    ...(state.focus.at === 'reject' || state.focus.at === 'rephrase' || question.approval || text === ''
      ? []
      : aboutOption(state, currentWords(state))),
    ...(state.focus.at === 'answer' && text === '?'
      ? [{ text: 'For the keys: Esc, then ?. Enter sends this as the answer' }]
      : []),
    ...aboutSecret(question, text),
  ];
}

const likeSecret: Remark = {
  text: 'This looks like a secret, and answers are stored in the log',
  color: colors.warning,
};

function aboutSecret(question: Question, text: string): Remark[] {
  const color = colors.warning;
  if (looksSecret(text)) return [likeSecret];
  return asksSecret(question) ? [{ text: SECRET_ASKED_TEXT, color }] : [];
}

function aboutOption(state: ScreenState, { text, isPasted }: Words): Remark[] {
  const { options, isMultiple } = choosable(state);
  // They are marked where they stand.
  if (isMultiple && (numbersListed(text).length === 0 || optionsWithNumbers(options, text).length > 0))
    return [];
  if (isMultiple)
    return [
      {
        text: `No option ${visibleLine(text.trim())}: it is sent as it is. Several: 1,3`,
        color: colors.warning,
      },
    ];
  const picked = optionTyped(options, text);
  if (picked && !isPasted) {
    const meant = visibleLine(picked.response);
    return [{ text: `${currentForm(state) ? 'Chooses' : 'Sends'} option ${picked.option + 1}: ${meant}` }];
  }
  if (options.length === 0 || !/^\s*\d+\s*$/.test(text)) return [];
  const number = text.trim();
  const what = picked
    ? `${number} came as a text: it is sent as it is. Typed anew it is option ${picked.option + 1}`
    : `No option has this number: ${number} is sent as it is`;
  return [{ text: what, color: colors.warning }];
}

function confirmation(state: ScreenState): Remark[] {
  const { focus } = state;
  const { at } = focus;
  const color = colors.warning;
  if (focus.at === 'act-sure') return [{ text: `${actTitle(focus)}? y/n`, color }];
  if (at === 'closed') return [{ text: 'Esc goes on: until then no key does anything', color }];
  if (at === 'confirm') return [{ text: 'Dismiss this question? y/n', color }];
  if (at === 'stop') return [{ text: stopText(state), color }];
  if (at === 'scope') return [{ text: reachOf(currentQuestion(state)), color }];
  if (at === 'rephrase')
    return [{ text: 'Asking for other words: the agent is told, with what is unclear if you say it', color }];
  if (at === 'explain')
    return [{ text: 'The call does not run for now: it comes back with what the agent says', color }];
  if (at !== 'reject') return [];
  const calls = batchOf(state).length;
  if (calls > 0)
    return [{ text: `Denying ${count(calls, 'call')}: each agent is told, with your reason if any`, color }];
  return currentQuestion(state)?.approval
    ? [{ text: 'Denying this call: the agent is told, with your reason if you give one', color }]
    : [{ text: 'Rejecting this question: the agent is told why', color }];
}

/** Asks what becomes of the run, as the key that was pressed has it. */
export function stopText({
  focus,
  ...state
}: Pick<ScreenState, 'focus' | 'sprint' | 'past' | 'processes'>): string {
  const agents = agentsAtWork(state);
  const what = agents === 0 ? 'the run' : count(agents, 'agent');
  if (focus.at === 'stop' && focus.key === 'Ctrl-C') return `Ctrl+C again stops ${what}`;
  return `What becomes of the run? q stops ${what}, g goes on without the screen`;
}

/** What a yes for more than one call is for: of an agent's own tool no other call. */
function reachOf(question: Question | undefined): string {
  return question?.approval?.isOwn
    ? 'As often as exactly this is asked for: with anything else you are asked again'
    : 'Whatever the arguments, while the tool is defined as it is now';
}

/** The answer counts all the same. */
function aboutWaiting(state: ScreenState): Remark[] {
  const question = currentQuestion(state);
  const { sprint, sending, processes } = state;
  if (!question || sending.has(question.id)) return [];
  const isLeft = question.task !== undefined && processes.gone.has(question.task);
  if (question.isAwaited && !isLeft) return [];
  const parked = sprint.tasks.find(({ id }) => id === question.task)?.parkedSince;
  // With the day: whoever looks may do so days later.
  if (parked !== undefined)
    return [{ text: `Parked since ${clockText(Date.parse(parked), 0)}, starts again with the answer` }];
  const then = nobodyWaitsText({ sprint: sprint.id, isCall: question.approval !== undefined });
  return [{ text: `No agent waits: ${then}` }];
}

function aboutEnd(state: ScreenState, secondsLeft: number | undefined): Remark[] {
  const { sprint, isOwner, isStopping } = state;
  if (sprint.state === 'done') {
    const isPartial = sprint.tasks.some(({ setAside }) => setAside !== undefined);
    const { mark, color } =
      sprint.detail === 'completed' && isPartial
        ? { ...lookOf(sprint), color: colors.warning }
        : lookOf(sprint);
    const text = `${mark} ${endOf(sprint)}${refusedText(state)}${isOwner ? '' : ' · q leaves'}`;
    return [{ text, ...(color ? { color } : {}) }];
  }
  return isStopping ? [{ text: stoppingText(state, secondsLeft), color: colors.warning }] : [];
}

/** How long the agents that are being stopped still have. */
function stoppingText(state: ScreenState, secondsLeft: number | undefined): string {
  const agents = agentsAtWork(state);
  if (agents === 0) return 'Stopping the run';
  const left = secondsLeft === undefined || secondsLeft <= 0 ? '' : `, ${secondsLeft} s left`;
  return `Stopping ${count(agents, 'agent')}${left}. Ctrl+C again ends ${agents === 1 ? 'it' : 'them'} at once`;
}

function aboutPause({ sprint, isStopping, mayApprove, focus }: ScreenState): Remark[] {
  if (sprint.detail !== 'paused' || isStopping) return [];
  const how = mayApprove ? `${keysTo(focus)}P resumes it` : 'a human resumes it';
  return [{ text: `The sprint is paused: no task starts. ${how}`, color: colors.warning }];
}

/** What leads to where letters are keys of the sprint. */
function keysTo({ at }: ScreenState['focus']): string {
  if (at === 'sprint') return '';
  return at === 'over' ? 'Enter, then ' : 'Esc, then ';
}

function endOf({ detail, lastFailure, setAside, tasks }: ScreenState['sprint']): string {
  if (detail === 'cancelled')
    return `The sprint was cancelled${setAside ? ` ${setAsideText(setAside)}` : ''}`;
  if (detail !== 'failed') return `The sprint is done${withoutText(tasks)}`;
  if (lastFailure === undefined) return 'The sprint failed';
  return `The sprint failed: ${visibleLine(lastFailure)}`;
}

/** A sprint that is done may have gone on without what a human refused. */
function refusedText({ summary, sprint }: ScreenState): string {
  const denied = sprint.detail === 'completed' ? (summary?.refused ?? 0) : 0;
  return denied === 0 ? '' : `, ${count(denied, 'call')} denied`;
}

/** `, 2 tasks skipped or cancelled`. */
function withoutText(tasks: ScreenState['sprint']['tasks']): string {
  const count = tasks.filter(({ setAside }) => setAside !== undefined).length;
  if (count === 0) return '';
  return `, without ${count === 1 ? 'one task' : `${count} tasks`} skipped or cancelled`;
}

function noticeLine({ notice }: ScreenState): Remark[] {
  if (!notice) return [];
  const { tone, ...said } = notice;
  const color = { ok: colors.ok, warning: colors.warning, info: undefined }[tone];
  return [{ ...said, ...(color ? { color } : {}) }];
}
