import { useEffect, useRef } from 'react';
import type { QuestionHead } from '../../api/question.ts';
import { useStore } from '../connection/store.ts';
import { useSession } from '../context.ts';
import { announce } from '../parts/announcer.tsx';
import { goTo, routeNow, useRoute, type Route } from '../route.ts';
import { forgetTold, tell } from '../shell/toasts.tsx';
import { keepDraftsOf } from './draft.ts';
import { closedLine, isReaders, ownLine } from './how-closed.ts';
import { QuestionDialog } from './question-dialog.tsx';

/**
 * The request that is open: the one of the address, or the first that comes while nothing else is done. Over whatever is
 * looked at, and beside it for whoever cannot decide.
 */
export function QuestionOver() {
  const { state } = useSession();
  const known = useStore(state);
  const questions = known?.questions;
  const route = useRoute();
  // Those that were there, or put aside, do not come up by themselves again.
  const seen = useRef(new Set<string>());
  // Neither do those that were decided on, or put aside, when another one is.
  const left = useRef(new Set<string>());
  const open = route.question;

  useEffect(() => {
    if (!questions) return;
    keepDraftsOf(new Set(questions.map(({ id }) => id)));
    const fresh = questions.filter(({ id }) => !seen.current.has(id));
    const next = fresh.find(({ sprint }) => route.sprint === undefined || sprint === route.sprint);
    if (fresh.length > 0)
      announce(fresh[0] && fresh.length === 1 ? askedLine(fresh[0]) : `${fresh.length} questions wait`);
    if (open !== undefined || route.at !== undefined || isBusy()) return;
    for (const { id } of fresh) seen.current.add(id);
    // A step back closes it. Where nobody has pressed anything before, a browser passes over that step.
    if (next) goTo({ ...routeNow(), sprint: next.sprint, question: next.id });
  }, [questions, open, route.sprint, route.at]);

  // Where it stood among those that waited, for when it has gone from them.
  const last = useRef<{ readonly id: string; readonly behind: readonly string[] }>(undefined);
  useEffect(() => {
    const at = questions?.findIndex(({ id }) => id === open) ?? -1;
    if (questions && open !== undefined && at >= 0)
      last.current = { id: open, behind: questions.slice(at + 1).map(({ id }) => id) };
  }, [questions, open]);
  // What each of them asks is said of it when it waits no more, also when the reply to what was sent about it comes later.
  const titles = useRef(new Map<string, string>());
  useEffect(() => {
    for (const { id, title } of questions ?? []) titles.current.set(id, title);
  }, [questions]);

  // What was looked at before a request of another sprint followed: whoever is done with that one is there again.
  const ledAway = useRef<{ readonly from: Route; readonly to: string }>(undefined);
  useEffect(() => {
    // Whoever has gone elsewhere by a link, or closed it by going back, is where they want to be.
    if (open === undefined || route.task !== undefined) ledAway.current = undefined;
  }, [open, route.task]);

  // Who looks is known with what waits.
  if (open === undefined || !known) return null;
  const waiting = known.questions;
  const at = waiting.findIndex(({ id }) => id === open);
  const show = (next: QuestionHead | undefined) => {
    const here = routeNow();
    const led = ledAway.current;
    const from = led && led.to === here.sprint ? led.from : here;
    const isAway = next !== undefined && next.sprint !== from.sprint;
    ledAway.current = isAway ? { from, to: next.sprint } : undefined;
    goTo(isAway ? { sprint: next.sprint, question: next.id } : { ...from, question: next?.id }, {
      replace: true,
    });
  };
  /** Behind one that is over the next one is shown, of those behind it first. */
  const showNext = () => {
    const now = state.value?.questions ?? [];
    const behind = last.current?.id === open ? last.current.behind : [];
    show([...now.filter(({ id }) => behind.includes(id)), ...now].find(({ id }) => !left.current.has(id)));
  };
  const leave = (text: string, over: readonly string[], isOthers = false) => {
    tell(text, { of: quoted(titles.current.get(open)), isOthers });
    for (const id of over) {
      seen.current.add(id);
      left.current.add(id);
    }
    // A reply may come when its reader is at something else, and some of those that waited have gone.
    if (routeNow().question === open) showNext();
  };
  return (
    <QuestionDialog
      key={open}
      id={open}
      isBeside={known.reader.may === 'read'}
      place={at < 0 || waiting.length < 2 ? undefined : { at, of: waiting.length }}
      onStep={(step) => {
        forgetTold();
        show(waiting[at + step]);
      }}
      onClose={() => {
        forgetTold();
        left.current.add(open);
        for (const { id } of waiting) seen.current.add(id);
        if (at < 0 && last.current?.id === open) showNext();
        else show(undefined);
      }}
      onDone={(text, also = []) => leave(text, [open, ...also])}
      onEndedLater={(outcome) => {
        const of = quoted(titles.current.get(open));
        if (outcome.is === 'failed') return tell(`${outcome.message}. ${outcome.fix}`, { of, isBad: true });
        const isOwn = outcome.isLost && isReaders(outcome.closing, known.reader);
        tell(isOwn ? ownLine(outcome.closing) : closedLine(outcome.closing), { of, isOthers: !isOwn });
      }}
      onEnded={(closing, { isOwn }) => leave(isOwn ? ownLine(closing) : closedLine(closing), [open], !isOwn)}
    />
  );
}

function quoted(title: string | undefined): string | undefined {
  return title === undefined ? undefined : `“${title}”`;
}

/** `Allow release/publish version: 1.0.0?`, of a call. */
function askedLine({ kind, title }: QuestionHead): string {
  return kind === 'approval' ? `Allow ${title}?` : `A question: ${title}`;
}

/** Whether somebody is writing, or decides about something else. */
function isBusy(): boolean {
  const { activeElement } = document;
  if (document.querySelector('dialog[open]')) return true;
  return activeElement instanceof HTMLTextAreaElement || activeElement instanceof HTMLInputElement;
}
