import type { RequestState } from '../machines/project-state.ts';
import { count } from '../lib/text/count.ts';
import { clip } from '../lib/text/clip.ts';
import { cleanLine, withoutHeaped, withoutHidden } from '../lib/text/hidden-characters.ts';
import { clockText } from '../lib/time/clock-text.ts';
import { waitedText } from '../lib/time/duration.ts';
import { askerOf } from '../views/requests/asker.ts';
import { plainMarkdown } from '../views/text/plain-markdown.ts';
import { callName } from '../workflow/requests/call-name.ts';
import type { Notice, NoticeKind } from './notice.ts';
import type { Reason } from './reasons.ts';
import type { Standing, TaskFailure } from './standing.ts';

/** What texts are made with. */
export type Wording = {
  /** A text as the log keeps it: secrets are replaced. */
  readonly asLogged: (text: string) => string;
  /** ms since the epoch. */
  readonly now: number;
  /** What the project is called, where that has to be said. */
  readonly project?: string | undefined;
};

const MAX_NAME_LENGTH = 60;
const MAX_TEXT_LENGTH = 240;
/** So much of a text is looked at: a secret that is cut here is not shown. */
const LOOK_LENGTH = 4_000;
const MAX_NAMED = 5;
/** Room for how many more there are, and for what stands between two. */
const MORE_LENGTH = 6;

/** What one notification says about all of these, at least one: that nothing goes on, else what waits for a human, else what has failed. */
export function noticeOf(reasons: readonly Reason[], standing: Standing, wording: Wording): Notice {
  const requests = reasons.flatMap((reason) => (reason.is === 'request' ? [reason.request] : []));
  const failures = reasons.find(({ is }) => is === 'failures');
  const halt = reasons.find(({ is }) => is !== 'request' && is !== 'failures');
  const first = halt ?? (requests.length > 0 ? undefined : failures);
  const said = first ? aboutSprint(first, wording) : aboutRequests(requests, wording);
  const waiting = first && requests.length > 0 ? `${countText(requests)} for you` : '';
  const failed = !first && failures ? aboutSprint(failures, wording).head : '';
  const { kind, task, request, head, text } = said;
  const names = [...(wording.project === undefined ? [] : [wording.project]), standing.name];
  return {
    kind,
    title: `Clifford · ${names.map((name) => nameText(name, wording)).join(' · ')}: ${head}`,
    text: [text, waiting, failed].filter((part) => part !== '').join('; '),
    sprint: standing.sprint,
    ...(task === undefined ? {} : { task }),
    ...(request === undefined ? {} : { request }),
  };
}

/** A name of others within a line of ours: a sprint, a task, an agent. */
export function nameText(name: string, wording: Pick<Wording, 'asLogged'>): string {
  return safeText(name, MAX_NAME_LENGTH, wording);
}

/** Behind the title of what is told again. `now`: ms since the epoch. */
export function waitedSoLong({ askedAt }: Pick<RequestState, 'askedAt'>, now: number): string {
  return ` (it has waited ${waitedText(now - Date.parse(askedAt))})`;
}

type Said = Pick<Notice, 'task' | 'request' | 'text'> & { readonly kind: NoticeKind; readonly head: string };

function aboutSprint(reason: Reason, wording: Wording): Said {
  switch (reason.is) {
    case 'end': {
      const { how, why } = reason.end;
      const text = safeText(why, MAX_TEXT_LENGTH, wording);
      return { kind: how, head: how === 'completed' ? 'done' : how, text };
    }
    case 'left':
      return {
        kind: 'left',
        head: 'nobody runs it any more',
        text: safeText(reason.why, MAX_TEXT_LENGTH, wording),
      };
    case 'failures':
      return aboutFailures(reason.failures, wording);
    case 'stall': {
      const { agent, until } = reason.stall;
      const end = clockText(Date.parse(until), wording.now);
      return {
        kind: 'limited',
        head: 'waits for the end of a usage limit',
        text: `${nameText(agent, wording)} until ${end}; nothing else can go on`,
      };
    }
    case 'request':
      return aboutRequests([reason.request], wording);
  }
}

function aboutFailures(failures: readonly TaskFailure[], wording: Wording): Said {
  const [failure] = failures;
  if (failure && failures.length === 1) {
    const task = nameText(failure.task, wording);
    const text = safeText(failure.why, MAX_TEXT_LENGTH, wording);
    return { kind: 'task-failed', task, head: `${task} has failed, others go on`, text };
  }
  const names = failures.slice(0, MAX_NAMED).map(({ task }) => nameText(task, wording));
  const more = failures.length > MAX_NAMED ? ` and ${failures.length - MAX_NAMED} more` : '';
  return {
    kind: 'task-failed',
    head: `${count(failures.length, 'task')} have failed, others go on`,
    text: `${names.join(', ')}${more}`,
  };
}

function aboutRequests(requests: readonly RequestState[], wording: Wording): Said {
  const [request] = requests;
  if (request && requests.length === 1) return aboutRequest(request, wording);
  const most = Math.floor(MAX_TEXT_LENGTH / Math.min(requests.length, MAX_NAMED)) - MORE_LENGTH;
  const text = requestLines(requests, most, wording).join('; ');
  return { kind: 'waiting', head: `${requests.length} wait for you`, text };
}

/** What waits, where there are several: who asks and what, a line of at most `most` characters for each of the first. */
export function requestLines(requests: readonly RequestState[], most: number, wording: Wording): string[] {
  const lines = requests.slice(0, MAX_NAMED).map((request) => {
    const { asked } = request;
    const what = asked.approval ? `tool call ${callName(asked.approval)}` : questionRead(request, wording);
    return safeText(`${whoText(request, wording)}: ${what}`, most, wording);
  });
  const more = requests.length - lines.length;
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])];
}

/** As it reads: not safe yet. */
function questionRead({ asked: { kind, question } }: RequestState, wording: Wording): string {
  return asRead(question, { kind, plain: plainMarkdown, ...wording });
}

function aboutRequest(request: RequestState, wording: Wording): Said {
  const { id, taskId, asked } = request;
  const task = taskId ?? asked.task;
  const who = whoText(request, wording);
  const about = { request: id, ...(task === undefined ? {} : { task: nameText(task, wording) }) };
  // A command, or the arguments of a tool, are for the screen: notifications are read by others, too.
  if (asked.approval)
    return {
      ...about,
      kind: 'approval',
      head: `${who} waits for your yes`,
      text: nameText(callName(asked.approval), wording),
    };
  const { kind } = asked;
  const text = safeText(questionRead(request, wording), MAX_TEXT_LENGTH, wording);
  return kind === 'prompt'
    ? { ...about, kind: 'prompt', head: `${who} waits at a prompt`, text }
    : { ...about, kind: 'question', head: `${who} asks`, text };
}

/** The task, or who asks where there is none. */
function whoText(request: RequestState, wording: Wording): string {
  return nameText(request.taskId ?? request.asked.task ?? askerOf(request), wording);
}

function countText(requests: readonly RequestState[]): string {
  const calls = requests.filter(({ asked }) => asked.approval).length;
  const others = requests.length - calls;
  return [
    ...(others > 0 ? [count(others, 'question')] : []),
    ...(calls > 0 ? [count(calls, 'tool call')] : []),
  ].join(' and ');
}

type Reading = Pick<Wording, 'asLogged'> &
  Pick<RequestState['asked'], 'kind'> & { readonly plain: (markdown: string) => string };

/**
 * What an agent says in a request, as it reads: markdown without its marks, neither safe nor cut yet. Secrets have to be
 * looked for once more in what comes of it, since a mark within one would have hidden it.
 */
export function asRead(text: string, { kind, plain, asLogged }: Reading): string {
  // What a program prints is no markdown: each of its characters counts.
  if (kind === 'prompt') return text;
  const more = text.length > LOOK_LENGTH ? '…' : '';
  return plain(asLogged(withoutHidden(text.slice(0, LOOK_LENGTH)))) + more;
}

function safeText(text: string, max: number, { asLogged }: Pick<Wording, 'asLogged'>): string {
  // Secrets are looked for in what is left: a hidden character within one would have hidden it.
  return clip(asLogged(withoutHeaped(cleanLine(text, LOOK_LENGTH))), max);
}
