import { isCut, type Approval } from '../../events/approval.ts';
import { digestOf, sha256 } from '../../lib/digest.ts';
import { clip } from '../../lib/text/clip.ts';
import { showHidden, showHeaped, withoutHeaped, withoutHidden } from '../../lib/text/hidden-characters.ts';
import { waitedText } from '../../lib/time/duration.ts';
import type { RequestState } from '../../machines/project-state.ts';
import { callName } from '../../workflow/requests/call-name.ts';
import { questionText } from '../../workflow/requests/reply-text.ts';
import { isShownInPart } from '../../workflow/requests/shown-arguments.ts';
import { nameText, noticeOf, type Wording } from '../notice-text.ts';
import type { Reason } from '../reasons.ts';
import type { Standing } from '../standing.ts';
import type { Button, Message } from './message.ts';

/** What the configuration lets a channel say, and whether answers are taken there. */
export type Manner = {
  readonly channel: string;
  readonly shows: 'names' | 'questions';
  /** Whether somebody reads answers there now. */
  readonly takesAnswers: boolean;
  /** Whether tool calls may be allowed there. */
  readonly approvals: boolean;
};

/** Something to be told about one sprint. `nth`: how often it was told before. */
export type ToTell = { readonly reasons: readonly Reason[]; readonly nth: number; readonly at: string };

const MAX_TEXT_LENGTH = 1_600;
const MAX_CALL_LENGTH = 2_400;
const MAX_OPTION_LENGTH = 200;
const MAX_LABEL_LENGTH = 40;
const MAX_BUTTONS = 8;

/** The message about all of these. At least one. */
export function makeMessage(
  { reasons, nth, at }: ToTell,
  standing: Standing,
  { manner, wording, link }: { manner: Manner; wording: Wording; link: string | undefined },
): Message {
  const notice = noticeOf(reasons, standing, wording);
  const [only, ...others] = reasons;
  const request = only?.is === 'request' && others.length === 0 ? only.request : undefined;
  const about = request
    ? aboutRequest(request, manner, wording)
    : { text: manner.shows === 'names' ? '' : notice.text, options: [], buttons: [] };
  const waits =
    nth > 0 && request ? ` (it has waited ${waitedText(wording.now - Date.parse(request.askedAt))})` : '';
  const ids = reasons.map((reason) => (reason.is === 'request' ? reason.request.id : reason.is));
  return {
    ...about,
    id: digestOf([manner.channel, standing.sprint, ids, at, nth]).slice(0, 32),
    kind: notice.kind,
    title: `${notice.title}${waits}`,
    sprint: notice.sprint,
    task: notice.task,
    request: notice.request,
    tag: request ? requestTag(request.id) : '',
    hint: hintFor(reasons, request, manner),
    link,
  };
}

/** The mark of a request in its buttons. */
export function requestTag(id: string): string {
  return sha256(id).slice(0, 16);
}

/** Whether somebody who reads this message sees all of the call, so that a yes there is for what was shown. */
export function isWhollyShown(approval: Approval): boolean {
  return (
    !isShownInPart(approval) && approval.change === undefined && callText(approval).length <= MAX_CALL_LENGTH
  );
}

type About = Pick<Message, 'text' | 'options' | 'buttons'>;

function aboutRequest(request: RequestState, manner: Manner, wording: Wording): About {
  const { asked } = request;
  const { shows, takesAnswers } = manner;
  if (asked.approval) return aboutCall(asked.approval, manner, wording);
  if (shows === 'names') return { text: '', options: [], buttons: [] };
  const options = (asked.options ?? []).map((option) => safe(option, MAX_OPTION_LENGTH, wording));
  const hasButtons =
    takesAnswers && asked.multiple !== true && options.length > 0 && options.length <= MAX_BUTTONS;
  const asks = asked.questions ? questionText(request) : asked.question;
  const parts = [asks, asked.reason ?? '', asked.context ?? ''].filter((part) => part !== '');
  const text = safe(parts.join('\n\n'), MAX_TEXT_LENGTH, wording);
  return {
    text: text.endsWith('…') ? `${text}\n(cut: all of it is on the screen)` : text,
    options,
    buttons: hasButtons
      ? options.map((option, at): Button => ({
          label: clip(option, MAX_LABEL_LENGTH),
          press: `option-${at}`,
        }))
      : [],
  };
}

function aboutCall(approval: Approval, manner: Manner, wording: Wording): About {
  const deny: Button = { label: 'Deny', press: 'deny' };
  const named = manner.shows === 'names' ? '' : nameText(callName(approval), wording);
  if (!manner.takesAnswers) return { text: named, options: [], buttons: [] };
  if (!manner.approvals) return { text: named, options: [], buttons: [deny] };
  if (!isWhollyShown(approval))
    return { text: `${named}\n(what it would do is on the screen alone)`, options: [], buttons: [deny] };
  // A secret that only this process knows may have been no secret to the one that asked.
  const text = wording.asLogged(callText(approval));
  const isWhole = text === callText(approval);
  return { text, options: [], buttons: isWhole ? [{ label: 'Allow once', press: 'approve' }, deny] : [deny] };
}

/** A call as it would run: what hides in it is shown. */
function callText(approval: Approval): string {
  const { args, paths = [], elsewhere } = approval;
  const shown = isCut(args) ? args.cut : JSON.stringify(args, null, 2);
  return showHeaped(
    showHidden(
      [
        callName(approval),
        shown,
        ...paths.map((path) => `file: ${path}`),
        ...(elsewhere === undefined ? [] : [`possibly in: ${elsewhere}`]),
      ].join('\n'),
    ),
  );
}

function hintFor(reasons: readonly Reason[], request: RequestState | undefined, manner: Manner): string {
  if (!reasons.some(({ is }) => is === 'request')) return '';
  if (!request) return 'Answer with: clifford questions';
  const { asked, id } = request;
  const shell = asked.approval ? `clifford approve ${id}` : `clifford answer ${id} "…"`;
  if (!manner.takesAnswers) return `Answer with: ${shell}`;
  if (!asked.approval) {
    const many = asked.questions
      ? ', with a line "title: answer" for each'
      : asked.multiple
        ? ', with the numbers of all that are meant'
        : '';
    return `Reply to this message${many}, or: ${shell}`;
  }
  return manner.approvals && isWhollyShown(asked.approval)
    ? `Choose, or reply to this message with yes, or with no and a reason. Or: ${shell}`
    : `To deny it, reply to this message with no and a reason. To allow it: ${shell}`;
}

function safe(text: string, max: number, { asLogged }: Pick<Wording, 'asLogged'>): string {
  return clip(asLogged(withoutHeaped(withoutHidden(text.slice(0, 8_000)))).trim(), max);
}
