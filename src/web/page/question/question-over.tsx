import { useEffect, useRef } from 'react';
import { useStore } from '../connection/store.ts';
import { useSession } from '../context.ts';
import { announce } from '../parts/announcer.tsx';
import { goTo, routeNow, useRoute } from '../route.ts';
import { tell } from '../shell/toasts.tsx';
import { keepDraftsOf } from './draft.ts';
import { QuestionDialog } from './question-dialog.tsx';

/** The request that is open, over whatever is looked at: the one of the address, or the first that comes while nothing else is done. */
export function QuestionOver() {
  const { state } = useSession();
  const questions = useStore(state)?.questions;
  const route = useRoute();
  // Those that were there, or put aside, do not come up by themselves again.
  const seen = useRef(new Set<string>());
  const open = route.question;

  useEffect(() => {
    if (!questions) return;
    keepDraftsOf(new Set(questions.map(({ id }) => id)));
    const fresh = questions.filter(({ id }) => !seen.current.has(id));
    const next = fresh.find(({ sprint }) => route.sprint === undefined || sprint === route.sprint);
    if (fresh.length > 0)
      announce(fresh.length === 1 ? `A question: ${fresh[0]?.title}` : `${fresh.length} questions wait`);
    if (open !== undefined || route.at !== undefined || isBusy()) return;
    for (const { id } of fresh) seen.current.add(id);
    if (next)
      goTo(
        { ...routeNow(), sprint: next.sprint, question: next.id },
        { replace: route.sprint === undefined },
      );
  }, [questions, open, route.sprint, route.at]);

  if (open === undefined) return null;
  const leave = () => {
    seen.current.add(open);
    goTo({ ...routeNow(), question: undefined }, { replace: true });
  };
  return (
    <QuestionDialog
      key={open}
      id={open}
      onClose={leave}
      onDone={(text, also = []) => {
        tell(text);
        for (const id of also) seen.current.add(id);
        leave();
      }}
    />
  );
}

/** Whether somebody is writing, or decides about something else. */
function isBusy(): boolean {
  const { activeElement } = document;
  if (document.querySelector('dialog[open]')) return true;
  return activeElement instanceof HTMLTextAreaElement || activeElement instanceof HTMLInputElement;
}
