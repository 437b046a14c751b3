import { useEffect, useRef } from 'react';
import { useStore } from './connection/store.ts';
import { useSession } from './context.ts';
import { Home } from './inbox/home.tsx';
import { Announcer } from './parts/announcer.tsx';
import { clock } from './parts/clock.ts';
import { focusMain } from './parts/focus-main.ts';
import { Gone } from './shell/gone.tsx';
import { later } from './parts/later.tsx';
import { QuestionOver } from './question/question-over.tsx';
import { goTo, useRoute } from './route.ts';
import { ConnectionNotice } from './shell/connection-notice.tsx';
import { Side } from './shell/side.tsx';
import { Toasts } from './shell/toasts.tsx';
import { useOffline } from './shell/use-offline.ts';
import { useWaitingSigns } from './shell/waiting-signs.ts';
import { SprintPage } from './sprint/sprint-page.tsx';

const WayIn = later(async () => (await import('./shell/way-in.tsx')).WayIn, 'How to get in');

/** The whole page. */
export function App() {
  const session = useSession();
  const state = useStore(session.state);
  const { link, key } = useStore(session.connection);
  const route = useRoute();
  const { sprint, task, at } = route;
  useEffect(() => session.watch(sprint, at === undefined ? task : undefined), [session, sprint, task, at]);
  useEffect(() => clock.set(session.clockSkewMs), [session, state]);
  useWaitingSigns(link === 'gone' ? undefined : state);
  // Whoever comes where nothing waits looks at a sprint, beside the list of all; whoever goes to what waits is there.
  const isNew = useRef(true);
  useEffect(() => {
    if (!state || !isNew.current) return;
    const first = state.sprints.find(({ id }) => id !== 'adhoc')?.id;
    isNew.current = sprint === undefined && first === undefined;
    const isWide = matchMedia('(min-width: 64rem)').matches;
    if (sprint === undefined && isWide && state.questions.length === 0 && first !== undefined)
      goTo({ sprint: first }, { replace: true });
  }, [state, sprint]);

  if (link === 'locked') return <WayIn was={key ?? (session.state.value === undefined ? 'none' : 'old')} />;
  if (link === 'gone') return <Gone />;
  return (
    <>
      <a
        className="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          focusMain();
        }}
      >
        To the content
      </a>
      <div className={sprint === undefined ? 'app at-home' : 'app'}>
        <Side />
        <main id="main" className="main" tabIndex={-1}>
          <ConnectionNotice />
          {state === undefined ? (
            <Waiting />
          ) : sprint === undefined ? (
            <Home state={state} />
          ) : (
            <SprintPage key={sprint} id={sprint} />
          )}
        </main>
        <QuestionOver />
      </div>
      <Toasts />
      <Announcer />
    </>
  );
}

/** Nothing has come yet: where nothing will for now, what can be done about it. */
function Waiting() {
  return (
    <p className="empty muted">
      {useOffline()
        ? 'This browser keeps nothing of a project. Is clifford serve still running, and in reach of this device?'
        : 'Connecting…'}
    </p>
  );
}
