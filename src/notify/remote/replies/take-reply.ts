import { answerLine } from '../../../events/form/answers-text.ts';
import { CliffordError } from '../../../errors.ts';
import { subjectOf } from '../../../events/envelope.ts';
import { MAX_TEXT_LENGTH } from '../../../events/field-schemas.ts';
import { clip } from '../../../lib/text/clip.ts';
import { cleanLine } from '../../../lib/text/hidden-characters.ts';
import type { RequestState } from '../../../machines/project-state.ts';
import { isToldAt, type ChannelPlace, type NoticeSent } from '../../../machines/told.ts';
import { isTyped } from '../../../machines/typed-words.ts';
import { withShownAnswer } from '../../../views/calls/shown-words.ts';
import { asksSecret } from '../../../views/requests/asks-secret.ts';
import { chosenAnswer, chosenAnswers, noChoice } from '../../../views/requests/answer-choice.ts';
import type { Project } from '../../../workflow/project/project.ts';
import { requireHuman } from '../../../workflow/project/require-human.ts';
import type { Env } from '../../../workflow/project/who-calls.ts';
import { answerRequest } from '../../../workflow/requests/answer.ts';
import { approve, deny } from '../../../workflow/requests/approval.ts';
import { approvalVerdictOf } from '../../../workflow/requests/approval-words.ts';
import type { Answerer, CloseOutcome } from '../../../workflow/requests/close-request.ts';
import { closedBy } from '../../../workflow/requests/outcome-text.ts';
import { namedProject } from '../../named-project.ts';
import { latestStream } from '../latest-stream.ts';
import { requestTag, shellCommand } from '../make-message.ts';
import { outcomeLine } from '../outcome-line.ts';
import type { Shows } from '../shows.ts';
import type { Reply } from './reply.ts';
import type { Strangers } from './strangers.ts';

/** Of which channel replies are taken, and who may reply there. */
export type ReplyPlace = ChannelPlace & {
  readonly project: Project;
  /** Of the process that takes them: an agent's takes none. */
  readonly env: Env;
  readonly service: string;
  /** What may be said there. */
  readonly shows: Shows;
  /** The one chat that counts. */
  readonly chat: string;
  /** Names by the ids of users. */
  readonly people: ReadonlyMap<string, string>;
  readonly approvals: boolean;
  readonly strangers: Strangers;
};

/**
 * Takes what somebody wrote or pressed in a chat as an answer, if it is one: of somebody who may answer, to a message that
 * tells of one request that is still open.
 *
 * @returns what is said to them; `undefined`: nothing, as to strangers.
 * @throws {CliffordError} when the log cannot be written: it was not taken, and may be taken again.
 */
export async function takeReply(place: ReplyPlace, reply: Reply): Promise<string | undefined> {
  const { project, people, chat } = place;
  const by = people.get(reply.sender);
  await project.refresh();
  let request = reply.ref === undefined ? undefined : toldIn(place, reply.ref);
  if (request?.request.asked.approval && reply.ref !== undefined) {
    // What lets something run is as the log says.
    await project.confirm(request.request.stream);
    request = toldIn(place, reply.ref);
  }
  // Among people who speak with each other, what answers nothing of ours is none of our business.
  if (!request && (!reply.isDirect || (by === undefined && reply.ref !== undefined))) return undefined;
  if (by === undefined || reply.chat !== chat) {
    const why = by === undefined ? 'is not among those who may answer' : 'wrote in another chat';
    await recordRefused(place, reply, { why, request: request?.request });
    return undefined;
  }
  if (reply.ref === undefined)
    return 'Reply to the message of the question that you answer: nothing was recorded.';
  if (!request)
    return 'That message tells of no question of this project that is known here: nothing was recorded.';
  if (request.isShared)
    return `That message tells of several: nothing was recorded. ${await shellHint(place, request.request)}`;
  if ('tag' in reply.said && reply.said.tag !== requestTag(request.request.id))
    return 'That button is of another question: nothing was recorded.';
  const { showsCall } = request;
  return answerTo(place, request.request, { said: reply.said, by, showsCall });
}

type ToldOf = {
  readonly request: RequestState;
  /** It told of others, too. */
  readonly isShared: boolean;
  /** All of the call was in it. */
  readonly showsCall: boolean;
};

/** The request that a message told of. */
function toldIn(place: ReplyPlace, ref: string): ToldOf | undefined {
  const isIt = (told: NoticeSent) => isToldAt(told, place) && told.ref === ref;
  const found = place.project.state.streams
    .loaded()
    .flatMap(({ requests }) => [...requests.values()])
    .filter(({ told = [] }) => told.some(isIt));
  const [request, ...others] = found;
  // One name for two messages is none of which it is known what was shown.
  const showsCall = request?.told?.filter(isIt).every((told) => told.showsCall === true) ?? false;
  return request && { request, isShared: others.length > 0, showsCall };
}

async function answerTo(
  place: ReplyPlace,
  request: RequestState,
  { said, by, showsCall }: { said: Reply['said']; by: string; showsCall: boolean },
): Promise<string> {
  if (request.phase !== 'open') return tooLate(request, place.shows);
  const who: Answerer = { by, via: place.service };
  try {
    const outcome = request.asked.approval
      ? await decide(place, request, { said, who, showsCall })
      : await answer(place, request, { said, who });
    if (typeof outcome === 'string') return outcome;
    if (!outcome.accepted) return tooLate(outcome.request ?? request, place.shows);
    const { answer: given } = withShownAnswer(outcome.request);
    const did = { approved: 'allowed, for this once', denied: 'denied' }[String(given?.verdict)];
    if (did === undefined && place.shows === 'names') return 'Recorded';
    return `Recorded: ${did ?? clip(cleanLine(given ? answerLine(given) : ''), 160)}`;
  } catch (error) {
    // What does not fit is said to whoever wrote it; what the log cannot do now is tried again.
    if (!(error instanceof CliffordError) || !forThem.has(error.code)) throw error;
    // It may name what was asked.
    const why = place.shows === 'names' ? 'it does not fit' : cleanLine(error.message, 400);
    return `Nothing was recorded: ${why}. ${await shellHint(place, request)}`;
  }
}

const forThem: ReadonlySet<string> = new Set([
  'NOT_A_HUMAN',
  'ANSWERS_UNFIT',
  'NOT_A_QUESTION',
  'APPROVAL_UNCLEAR',
]);

/** `/reject why`, `rephrase: what`: a word to the question itself. A slash is for commands in Slack; in groups, Telegram's menu names the bot: `/reject@CliffordBot`. */
const ABOUT_QUESTION = /^\s*(?:\/(reject|rephrase)(?:@\w+)?\b:?|(reject|rephrase):)\s*/i;

type Given = { readonly said: Reply['said']; readonly who: Answerer };

async function answer(
  place: ReplyPlace,
  request: RequestState,
  { said, who }: Given,
): Promise<CloseOutcome | string> {
  const { project } = place;
  const { id, asked } = request;
  const options = asked.options ?? [];
  if ('tag' in said) {
    const at = /^option-(\d+)$/.exec(said.press ?? '')?.[1];
    const option = at === undefined ? undefined : Number(at);
    const response = option === undefined ? undefined : options[option];
    if (option === undefined || response === undefined)
      return 'That is none of its options: nothing was recorded.';
    return answerRequest(project, id, { response, option, ...who });
  }
  const text = said.text.slice(0, MAX_TEXT_LENGTH);
  const [all, slashed, named] = ABOUT_QUESTION.exec(text) ?? [];
  if (all !== undefined) {
    const response = text.slice(all.length).trim();
    const isNo = (slashed ?? named)?.toLowerCase() === 'reject';
    if (isNo && response === '') return 'Say why, for its agent: /reject and a reason. Nothing was recorded.';
    return answerRequest(project, id, {
      response,
      ...(isNo ? { rejected: true } : { rephrase: true }),
      ...who,
    });
  }
  if (asked.questions) return answerRequest(project, id, { response: text, ...who });
  const words = { text };
  const chosen = asked.multiple
    ? chosenAnswers(options, noChoice, words)
    : chosenAnswer(options, noChoice, words);
  if (!chosen) return 'There is nothing in it: nothing was recorded.';
  if (asksSecret(asked) && isTyped(asked, chosen))
    return `It asks for a secret, which belongs in no chat: nothing was recorded, and what you wrote still stands here. ${await shellHint(place, request)}`;
  return answerRequest(project, id, { ...chosen, ...who });
}

async function decide(
  place: ReplyPlace,
  request: RequestState,
  { said, who, showsCall }: Given & { readonly showsCall: boolean },
): Promise<CloseOutcome | string> {
  const { project, env, approvals } = place;
  const { id } = request;
  const words = 'tag' in said ? '' : said.text.slice(0, MAX_TEXT_LENGTH);
  const pressed = 'tag' in said ? { approve: 'approved', deny: 'denied' }[String(said.press)] : undefined;
  const verdict = pressed ?? approvalVerdictOf({ response: words });
  if (verdict === 'denied') return deny(project, id, { ...(words === '' ? {} : { reason: words }), ...who });
  if (verdict !== 'approved') return 'Say yes or no, or press one of the buttons: nothing was recorded.';
  if (!approvals)
    return `Tool calls are not allowed by chat here: nothing was recorded. ${await shellHint(place, request)}`;
  if (!showsCall)
    return `That message does not show all of the call: nothing was recorded. ${await shellHint(place, request)}`;
  requireHuman({ env }, `approve ${id}`, project);
  return approve(project, id, { scope: 'once', ...who });
}

function tooLate(request: RequestState, shows: Shows): string {
  const how =
    shows === 'names'
      ? outcomeLine(request, shows)
      : cleanLine(closedBy(withShownAnswer(request), Date.now()), 300);
  return `Nothing was recorded: it was over already. ${how}`;
}

async function shellHint({ env, project }: ReplyPlace, request: RequestState): Promise<string> {
  return `In a shell: ${shellCommand(request, await namedProject(env, project.root))}`;
}

async function recordRefused(
  { project, channel, service, strangers }: ReplyPlace,
  { sender }: Reply,
  { why, request }: { why: string; request: RequestState | undefined },
): Promise<void> {
  const times = strangers.timesToSay(sender, Date.now());
  if (times === undefined) return;
  const stream = request?.stream ?? latestStream(project.state);
  const name = cleanLine(sender, 64) || 'somebody without an id';
  await project.record(stream, [
    {
      type: 'notify.refused',
      subject: subjectOf(stream, request?.taskId),
      data: { channel, service, sender: name, why, times },
    },
  ]);
}
