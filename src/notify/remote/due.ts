import type { SprintState } from '../../machines/project-state.ts';
import { isToldAt } from '../../machines/told.ts';
import { LOOKING_MS, remindAt, SETTLE_MS } from '../pace.ts';
import { quietLeftMs } from '../quiet-hours.ts';
import type { Reason } from '../reasons.ts';
import type { Standing, TaskFailure } from '../standing.ts';
import type { ToTell } from './make-message.ts';
import { reasonOf, type ChannelRules } from '../rules.ts';

/** When a channel looks at what there is to tell. Times are ms since the epoch. */
export type Look = {
  readonly now: number;
  /** When this sender began: what ended long before it is no news. */
  readonly since: number;
  /** When somebody looked at a screen of the project last, as far as it is known. */
  readonly lookedAt: number | undefined;
  /** So long what comes together is gathered. */
  readonly gatherMs: number;
  /** Whether requests go into one message, as nobody can answer there. */
  readonly isBundled: boolean;
};

/** What is to be told now, and in how many ms there may be more. */
export type Due = { readonly now: readonly ToTell[]; readonly nextMs: number };

/** What ended so long before this sender began, in ms, is news: the one before may have died over it. Nobody wants to hear of older ends. */
const RECENT_MS = 300_000;
/** A usage limit is told again after so long, in ms. */
const LIMIT_AGAIN_MS = 6 * 3_600_000;
/** More requests than this are told in one message, also where each could be answered. */
const MAX_SINGLE = 5;

/** What one channel has to tell about a sprint: by what it has told already, as the log says. */
export function dueFor(
  rules: ChannelRules,
  sprint: SprintState,
  { standing, limitedAt }: { standing: Standing; limitedAt: string | undefined },
  look: Look,
): Due {
  const quietMs = quietLeftMs(rules.quietHours, look.now);
  const found = [
    ...aboutSprint(sprint, standing, { rules, look, limitedAt }),
    ...aboutFailures(standing, rules, look),
    ...aboutRequests(standing, rules, look),
  ].filter(({ reason }) => rules.what.has(reasonOf(reason)));
  const inMs = (dueAt: number) => Math.max(dueAt - look.now, quietMs);
  const isDue = ({ dueAt }: Found) => inMs(dueAt) <= 0;
  // What is asked within a moment of another goes with it.
  const isBurst = look.isBundled && found.some((each) => isRequest(each) && isDue(each));
  const due = found.filter(
    (each) => isDue(each) || (isBurst && isRequest(each) && inMs(each.dueAt) <= look.gatherMs),
  );
  const later = found.filter((each) => !due.includes(each)).map(({ dueAt }) => inMs(dueAt));
  return { now: messagesOf(due, look), nextMs: Math.min(Number.POSITIVE_INFINITY, ...later) };
}

type Found = { readonly reason: Reason; readonly dueAt: number; readonly nth: number; readonly at: string };

function aboutRequests({ open }: Standing, rules: ChannelRules, look: Look): Found[] {
  const { afterMs, remindMs } = rules;
  const seenUntil = look.lookedAt === undefined ? 0 : look.lookedAt + LOOKING_MS;
  return open.flatMap((request) => {
    const told = (request.told ?? []).filter((each) => isToldAt(each, rules));
    const last = told.at(-1);
    const reason = { is: 'request', request } as const;
    const at = request.askedAt;
    if (!last) {
      const dueAt = Math.max(Date.parse(at) + Math.max(afterMs, look.gatherMs), seenUntil);
      return [{ reason, dueAt, nth: 0, at }];
    }
    if (remindMs === 0) return [];
    const dueAt = Math.max(remindAt(Date.parse(last.at), told.length, remindMs), seenUntil);
    return [{ reason, dueAt, nth: told.length, at }];
  });
}

function aboutSprint(
  { endedAt, told = [] }: SprintState,
  { end, left, stall }: Standing,
  { rules, look, limitedAt }: { rules: ChannelRules; look: Look; limitedAt: string | undefined },
): Found[] {
  const lastTold = (about: string) =>
    told.findLast((each) => isToldAt(each, rules) && each.about === about)?.at ?? '';
  const once = (reason: Reason, about: string, at: string): Found[] =>
    lastTold(about) < at && isNews(at, look) ? [{ reason, dueAt: 0, nth: 0, at }] : [];
  if (end && endedAt !== undefined) return once({ is: 'end', end }, end.how, endedAt);
  if (left) return once({ is: 'left', why: left.reason }, 'left', left.at);
  if (!stall || limitedAt === undefined) return [];
  const again = lastTold('limited') === '' ? 0 : Date.parse(lastTold('limited')) + LIMIT_AGAIN_MS;
  return [
    {
      reason: { is: 'stall', stall },
      dueAt: Math.max(Date.parse(limitedAt) + SETTLE_MS, again),
      nth: 0,
      at: limitedAt,
    },
  ];
}

/** Whoever pressed a key at that time or since has seen it. */
function isNews(at: string, { since, lookedAt }: Look): boolean {
  const time = Date.parse(at);
  return time >= since - RECENT_MS && (lookedAt === undefined || lookedAt < time - LOOKING_MS);
}

/** What this channel has not told of, together: by attempts, so that none is lost while another is told. */
function aboutFailures({ failures }: Standing, rules: ChannelRules, look: Look): Found[] {
  const isTold = ({ told, attempt }: TaskFailure) =>
    told.some((each) => isToldAt(each, rules) && each.attempt >= attempt);
  const untold = failures.filter((each) => !isTold(each) && isNews(each.at, look));
  const [first] = untold;
  const last = untold.at(-1);
  if (!first || !last) return [];
  const reason = { is: 'failures', failures: untold } as const;
  // What fails within a moment goes with it, and a sprint that ends by it says so itself.
  return [{ reason, dueAt: Date.parse(first.at) + look.gatherMs, nth: 0, at: last.at }];
}

function isRequest({ reason }: Found): boolean {
  return reason.is === 'request';
}

function messagesOf(due: readonly Found[], { isBundled }: Look): ToTell[] {
  const requests = due.filter(isRequest);
  const single = isBundled
    ? []
    : requests.slice(0, requests.length > MAX_SINGLE ? MAX_SINGLE - 1 : MAX_SINGLE);
  const rest = requests.slice(single.length);
  // Once some are told the rest would be few enough to be told alone, one after the other: so they go first.
  const groups = [
    ...due.filter((each) => !isRequest(each)).map((each) => [each]),
    rest,
    ...single.map((each) => [each]),
  ];
  return groups.flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const nth = Math.max(...group.map((each) => each.nth));
    return [{ reasons: group.map(({ reason }) => reason), nth, at: first.at }];
  });
}
