import type { Approval } from '../../events/approval.ts';
import { isCut } from '../../events/cut-arguments.ts';
import type { FormQuestion } from '../../events/form/form.ts';
import { digestOf, sha256 } from '../../lib/digest.ts';
import { clip } from '../../lib/text/clip.ts';
import { showHidden, showHeaped, withoutHeaped, withoutHidden } from '../../lib/text/hidden-characters.ts';
import type { RequestState } from '../../machines/project-state.ts';
import { asksSecret } from '../../views/requests/asks-secret.ts';
import { formLines } from '../../views/requests/form-text.ts';
import { callName } from '../../workflow/requests/call-name.ts';
import { isShownInPart } from '../../workflow/requests/shown-arguments.ts';
import { plainMarkdownLines } from '../../views/text/plain-markdown.ts';
import { asRead, nameText, noticeOf, requestLines, waitedSoLong, type Wording } from '../notice-text.ts';
import type { NamedProject } from '../named-project.ts';
import { keyOfReason, type Reason } from '../reasons.ts';
import type { Standing } from '../standing.ts';
import { messageText, type Button, type Message } from './message.ts';
import type { Shows } from './shows.ts';

/** What the configuration lets a channel say, and whether answers are taken there. */
export type Manner = {
  readonly channel: string;
  readonly shows: Shows;
  /** Whether somebody reads answers there now. */
  readonly takesAnswers: boolean;
  /** Whether tool calls may be allowed there. */
  readonly approvals: boolean;
  /** The longest text that a message may have there, in UTF-16 units: what is to be whole is within that. */
  readonly mostText: number;
};

/** Something to be told about one sprint. `nth`: how often it was told before. */
export type ToTell = { readonly reasons: readonly Reason[]; readonly nth: number; readonly at: string };

const MAX_TEXT_LENGTH = 1_600;
const MAX_CALL_LENGTH = 2_400;
const MAX_OPTION_LENGTH = 200;
/** Of one of several that are told at once. */
const MAX_LINE_LENGTH = 160;
const MAX_LABEL_LENGTH = 40;
const MAX_BUTTONS = 8;
/** Less than so much of why something is asked says nothing. */
const MIN_REASONS = 40;

/** What a message is made with. */
type MessageParts = {
  readonly manner: Manner;
  readonly wording: Pick<Wording, 'asLogged' | 'now'>;
  readonly named: NamedProject;
  readonly link: string | undefined;
};

/** The message about all of these. At least one. */
export function makeMessage(
  { reasons, nth, at }: ToTell,
  standing: Standing,
  { manner, wording: { asLogged, now }, named, link }: MessageParts,
): Message {
  const wording: Wording = { asLogged, now, project: named.isOneOfSeveral ? named.name : undefined };
  const notice = noticeOf(reasons, standing, wording);
  const [only, ...others] = reasons;
  const request = only?.is === 'request' && others.length === 0 ? only.request : undefined;
  const waits = nth > 0 && request ? waitedSoLong(request, now) : '';
  const ids = reasons.map(keyOfReason);
  const message: Omit<Message, Exclude<keyof About, 'isCut'> | 'hint'> = {
    id: digestOf([manner.channel, standing.sprint, ids, at, nth]).slice(0, 32),
    kind: notice.kind,
    title: `${notice.title}${waits}`,
    project: nameText(named.name, wording),
    sprint: notice.sprint,
    task: notice.task,
    request: notice.request,
    tag: request ? requestTag(request.id) : '',
    link,
  };
  if (!request) {
    const requests = reasons.flatMap((reason) => (reason.is === 'request' ? [reason.request] : []));
    const hint = requests.length > 0 ? `See and answer them with: ${named.called} questions` : '';
    const all =
      requests.length > 0 ? requestLines(requests, MAX_LINE_LENGTH, wording).join('\n') : notice.text;
    const text = manner.shows === 'names' ? '' : all;
    return { ...message, text, options: [], buttons: [], showsCall: false, hint };
  }
  const made = (isWhole: boolean): Message => {
    const { isCut: isPart, ...about } = aboutRequest(request, { manner, wording, isWhole });
    return {
      ...message,
      ...about,
      hint: hintFor(request, { ...about, isCut: isPart }, { manner, named, link }),
    };
  };
  // What does not fit is cut at its end: what has to be whole is not begun with.
  const whole = made(true);
  return messageText(whole).length <= manner.mostText ? whole : made(false);
}

/** The mark of a request in its buttons. */
export function requestTag(id: string): string {
  return sha256(id).slice(0, 16);
}

/** What a message says of a request. `isWhole`: there is room for all of it. */
type About = Pick<Message, 'text' | 'options' | 'buttons' | 'showsCall'> & {
  /** Part of what is asked is not in it. */
  readonly isCut: boolean;
};

const nothing: About = { text: '', options: [], buttons: [], showsCall: false, isCut: false };

type AboutParts = { readonly manner: Manner; readonly wording: Wording; readonly isWhole: boolean };

function aboutRequest(request: RequestState, parts: AboutParts): About {
  const { asked } = request;
  const { manner, wording } = parts;
  if (asked.approval) return aboutCall(asked.approval, parts);
  if (manner.shows === 'names') return nothing;
  if (asked.questions) return aboutForm(request, parts);
  const options = (asked.options ?? []).map((option) => safe(option, MAX_OPTION_LENGTH, wording));
  const hasButtons =
    manner.takesAnswers && asked.multiple !== true && options.length > 0 && options.length <= MAX_BUTTONS;
  const buttons = options.map((option, at): Button => ({
    label: clip(option, MAX_LABEL_LENGTH),
    press: `option-${at}`,
  }));
  const question = said(asked.question, asked, wording);
  const text = withReasons(safe(question, MAX_TEXT_LENGTH, wording), request, wording);
  return {
    ...nothing,
    text,
    options,
    buttons: hasButtons ? buttons : [],
    isCut: text.endsWith('…') || !parts.isWhole,
  };
}

/** Several questions at once, with their options: each behind its number, by which it is answered. */
function aboutForm(request: RequestState, { wording, isWhole }: AboutParts): About {
  const { asked } = request;
  const questions = (asked.questions ?? []).map((each) => ({
    ...each,
    ...(each.question === undefined ? {} : { question: said(each.question, asked, wording) }),
  }));
  const question = said(asked.question, asked, wording);
  const lines = [question, ...formLines(questions)].join('\n');
  const shown = safe(lines, MAX_CALL_LENGTH, wording);
  const isCut = shown.endsWith('…') || !isWhole;
  // Half a form answers nothing.
  const text = isCut
    ? safe([question, ...questions.map(({ title }) => `- ${title}`)].join('\n'), MAX_TEXT_LENGTH, wording)
    : withReasons(shown, request, wording);
  return { ...nothing, text, isCut };
}

/** With why it is asked, as far as there is room for that. */
function withReasons(text: string, { asked }: RequestState, wording: Wording) {
  const { reason = '', context = '' } = asked;
  const reasons = safe(
    [reason, context]
      .filter((part) => part !== '')
      .map((part) => said(part, asked, wording))
      .join('\n\n'),
    MAX_TEXT_LENGTH,
    wording,
  );
  const room = MAX_TEXT_LENGTH - text.length;
  return reasons === '' || room < MIN_REASONS ? text : `${text}\n\n${clip(reasons, room)}`;
}

function aboutCall(approval: Approval, { manner, wording, isWhole }: AboutParts): About {
  if (manner.shows === 'names') return { ...nothing, buttons: manner.takesAnswers ? [deny] : [] };
  const text = nameText(callName(approval), wording);
  if (!manner.takesAnswers) return { ...nothing, text };
  if (!manner.approvals) return { ...nothing, text, buttons: [deny] };
  const call = callText(approval);
  const isShown =
    isWhole &&
    !isShownInPart(approval) &&
    approval.change === undefined &&
    call.length <= MAX_CALL_LENGTH &&
    // A secret that only this process knows may have been no secret to the one that asked.
    wording.asLogged(call) === call;
  if (!isShown)
    return { ...nothing, text: `${text}\n(what it would do is on the screen alone)`, buttons: [deny] };
  return {
    ...nothing,
    text: call,
    buttons: [{ label: 'Allow once', press: 'approve' }, deny],
    showsCall: true,
  };
}

const deny: Button = { label: 'Deny', press: 'deny' };

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

function hintFor(
  { asked, id }: RequestState,
  about: About,
  { manner, named, link }: Pick<MessageParts, 'manner' | 'named' | 'link'>,
): string {
  const shell = shellCommand({ asked, id }, named);
  const elsewhere = link === undefined ? shell : `${shell}, or on the page`;
  if (asked.approval) {
    if (!manner.takesAnswers) return `See what it would do, and how to allow or deny it, with: ${elsewhere}`;
    return about.showsCall
      ? `Choose, or reply to this message with yes, or with no and a reason. Or: ${elsewhere}`
      : `To deny it, reply to this message with no and a reason. To see all of it, and allow it: ${elsewhere}`;
  }
  if (!manner.takesAnswers) return `Answer with: ${elsewhere}`;
  if (asksSecret(asked)) return `It asks for a secret, which belongs in no chat. Answer with: ${elsewhere}`;
  if (asked.questions && (about.isCut || manner.shows === 'names'))
    return `Not all of it is in this message. Answer with: ${elsewhere}`;
  const how = asked.questions ? formHint(asked.questions) : asked.multiple ? MANY_HINT : '';
  const cut = about.isCut ? 'Not all of it is in this message. ' : '';
  return `${cut}Reply to this message${how}, or: ${elsewhere}`;
}

/** What answers a question in a shell; of a call, what shows all of it first. */
export function shellCommand(
  { asked, id }: Pick<RequestState, 'asked' | 'id'>,
  { called }: Pick<NamedProject, 'called'>,
): string {
  // Words alone answer no form of several questions: without them a terminal asks for each.
  if (!asked.approval) return `${called} answer ${id}${(asked.questions ?? []).length > 1 ? '' : ' "…"'}`;
  return `${called} questions${isShownInPart(asked.approval) ? ' --reveal' : ''}`;
}

const MANY_HINT = ', with the numbers of all that are meant';

/** How a form is answered by words: see `readAnswersInWords`. */
function formHint(questions: readonly FormQuestion[]): string {
  if (questions.length === 1) return questions[0]?.options ? ', with the number of an option' : '';
  const example = questions[0]?.options ? '"1: 2" for its second option' : '"1: …"';
  return `, with a line for each question: its number, a colon and the answer, such as ${example}`;
}

function said(text: string, { kind }: RequestState['asked'], wording: Wording): string {
  return asRead(text, { kind, plain: plainMarkdownLines, ...wording });
}

function safe(text: string, max: number, { asLogged }: Pick<Wording, 'asLogged'>): string {
  return clip(asLogged(withoutHeaped(withoutHidden(text.slice(0, 8_000)))).trim(), max);
}
