import type { Decision } from './binding.ts';
import { editedBy, editText } from '../../gateway/edit/edit-text.ts';
import { alikeIn } from '../../gateway/permission/same-shape.ts';
import { batchOf, currentQuestion, isSending, withSending } from '../screen/current-question.ts';
import type { ScreenState } from '../screen/screen-state.ts';
import type { Effect } from '../screen/screen-effect.ts';
import { draftText } from '../drafts/drafts.ts';
import type { WideScope } from '../screen/focus.ts';
import { clamp } from '../text/clamp.ts';

/** The screen after a key that decides about a tool call, or leads there. */
export function decideCall(
  state: ScreenState,
  decision: Decision,
  emit: (effect: Effect) => void,
): ScreenState {
  const { focus } = state;
  switch (decision) {
    case 'allow':
      return allow(state, 'once', emit);
    case 'deny':
      return { ...state, focus: { at: 'reject', back: 'arming' } };
    case 'read-first':
      return { ...state, notice: { tone: 'warning', text: 'Read it all first: PgDn, Down or End' } };
    case 'refuse-agent':
      return {
        ...state,
        notice: { tone: 'warning', text: 'A human allows calls: this is the shell of an agent' },
      };
    case 'reveal':
      return reveal(state, emit);
    case 'edit':
      return edit(state);
    case 'send-edit':
      return sendEdit(state, emit);
    case 'explain':
      return { ...state, focus: { at: 'explain' } };
    case 'list-same':
      return listSame(state);
    case 'allow-same':
      return allowSame(state, emit);
    case 'deny-same':
      return focus.at === 'batch'
        ? { ...state, focus: { at: 'reject', back: 'batch', ids: focus.ids } }
        : state;
    case 'send-same':
      return denySame(state, emit);
    case 'send-question':
      return sendQuestion(state, emit);
    case 'close-card-box':
      return { ...state, questionTop: 0, focus: { at: 'arming', dropped: 0 } };
    case 'choose-scope':
      return { ...state, focus: { at: 'scope', isArmed: false, picked: undefined } };
    case 'scope-task':
      return allow(state, 'task', emit);
    case 'scope-sprint':
      return allow(state, 'sprint', emit);
    case 'scope-always':
      return allow(state, 'always', emit);
    case 'scope-up':
      return pick(state, -1);
    case 'scope-down':
      return pick(state, 1);
    case 'scope-picked':
      return focus.at === 'scope' && focus.picked ? allow(state, focus.picked, emit) : state;
    case 'close-scope':
      return { ...state, focus: { at: 'arming', dropped: 0 } };
  }
}

/** The scopes beyond the call itself that the question that is shown has, and the digit of each. */
export function wideScopes(state: ScreenState): { readonly digit: string; readonly scope: WideScope }[] {
  const { scopes = [] } = currentQuestion(state) ?? {};
  return digits.filter(({ scope }) => scopes.includes(scope));
}

/** A digit stands for one scope, whichever of them a call has. */
const digits = [
  { digit: '1', scope: 'task' },
  { digit: '2', scope: 'sprint' },
  { digit: '3', scope: 'always' },
] as const;

function allow(state: ScreenState, scope: WideScope | 'once', emit: (effect: Effect) => void): ScreenState {
  const question = currentQuestion(state);
  if (!state.mayApprove || !question?.approval || isSending(state)) return state;
  emit({ type: 'approve', id: question.id, scope, ...seenOn(state) });
  return withSending(state, question.id);
}

/** A yes is one to what was seen. */
function seenOn({ seen }: ScreenState): Pick<Extract<Effect, { type: 'approve' }>, 'seen'> {
  return seen.size === 0 ? {} : { seen };
}

/** The box takes keys once nobody typed for a moment: its first letter may have been part of another text. */
function edit(state: ScreenState): ScreenState {
  const { id, approval } = currentQuestion(state) ?? {};
  if (id === undefined || !approval) return state;
  const { text } = editText(approval);
  // Of one that was emptied the call is there again.
  const isBegun = (state.edits.get(id)?.text ?? '').trim() !== '';
  const edits = isBegun ? state.edits : new Map(state.edits).set(id, { text, cursor: text.length });
  return { ...state, edits, focus: { at: 'arming', dropped: 0, leadsTo: 'edit' } };
}

function sendEdit(state: ScreenState, emit: (effect: Effect) => void): ScreenState {
  const question = currentQuestion(state);
  if (!state.mayApprove || !question?.approval || isSending(state)) return state;
  const text = draftText(state);
  const before = editText(question.approval);
  const warn = (why: string): ScreenState => ({ ...state, notice: { tone: 'warning', text: why } });
  if (text === before.text) return warn('Nothing is changed yet. Esc goes back');
  const edited = editedBy(question.approval, before.is, text);
  if ('problem' in edited) return warn(`Not changed: ${edited.problem}`);
  emit({ type: 'edit', id: question.id, text, ...seenOn(state) });
  return withSending(state, question.id);
}

/** What is listed has to be read to its end, whatever was read before. */
function listSame(state: ScreenState): ScreenState {
  const { sprint, current, readToEnd } = state;
  const ids = alikeIn(sprint.open, current)
    .map(({ id }) => id)
    .filter((id) => !state.sending.has(id));
  const unread = new Set([...readToEnd].filter((id) => id !== current));
  return { ...state, questionTop: 0, readToEnd: unread, focus: { at: 'batch', isArmed: false, ids } };
}

function allowSame(state: ScreenState, emit: (effect: Effect) => void): ScreenState {
  return state.mayApprove ? decideSame(state, { verdict: 'approved' }, emit) : state;
}

function denySame(state: ScreenState, emit: (effect: Effect) => void): ScreenState {
  const reason = draftText(state);
  return decideSame(state, { verdict: 'denied', ...(reason.trim() === '' ? {} : { reason }) }, emit);
}

function decideSame(
  state: ScreenState,
  word: Pick<Extract<Effect, { type: 'decide-all' }>, 'verdict' | 'reason'>,
  emit: (effect: Effect) => void,
): ScreenState {
  const ids = batchOf(state).map(({ id }) => id);
  if (ids.length === 0) return state;
  emit({ type: 'decide-all', ids, ...word, ...seenOn(state) });
  return ids.reduce(withSending, state);
}

function sendQuestion(state: ScreenState, emit: (effect: Effect) => void): ScreenState {
  const question = currentQuestion(state);
  if (!state.mayApprove || !question?.approval || isSending(state)) return state;
  emit({ type: 'explain', id: question.id, question: draftText(state) });
  return withSending(state, question.id);
}

function reveal(state: ScreenState, emit: (effect: Effect) => void): ScreenState {
  const { id, approval } = currentQuestion(state) ?? {};
  if (id !== undefined && approval) emit({ type: 'reveal', id });
  return state;
}

function pick(state: ScreenState, by: 1 | -1): ScreenState {
  const { focus } = state;
  if (focus.at !== 'scope') return state;
  const scopes = wideScopes(state).map(({ scope }) => scope);
  const at = focus.picked === undefined ? -1 : scopes.indexOf(focus.picked);
  // From none, down leads to the first and up to the last.
  const next = at === -1 && by === -1 ? scopes.length - 1 : at + by;
  const picked = scopes[clamp(next, 0, scopes.length - 1)];
  return { ...state, focus: { ...focus, picked } };
}
