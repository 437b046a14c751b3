import { useEffect } from 'react';
import type { SentProjects } from '../../api/projects.ts';
import { waitsText } from '../../../views/requests/waits-text.ts';
import type { ProjectList } from '../connection/project-list.ts';
import { useStore } from '../connection/store.ts';
import { AgentLine } from '../parts/agent-text.tsx';
import { Icon } from '../parts/icon.tsx';
import { Notice } from '../parts/notice.tsx';
import { Toasts } from '../shell/toasts.tsx';
import { showWaiting } from '../shell/waiting-signs.ts';
import { ThemeSwitch } from '../shell/theme-switch.tsx';
import { WayIn } from '../shell/way-in.tsx';
import { ProjectCard } from './project-card.tsx';

/** All projects of a server: what waits in each, and the way to its page. */
export function ProjectsPage({ list: source }: { readonly list: ProjectList }) {
  const list = useStore(source.list);
  const link = useStore(source.link);
  const waiting = list?.projects.reduce((sum, project) => sum + project.waiting, 0) ?? 0;
  useEffect(() => showWaiting(waiting, 'All projects'), [waiting]);
  if (link.is === 'locked') return <WayIn was={list === undefined ? 'none' : 'old'} />;
  return (
    <div className="projects">
      <header className="brand">
        <img src="./icon.svg" width="24" height="24" alt="" />
        <span className="brand-name">Clifford</span>
        {list && <span className="number muted">{list.version}</span>}
        <ThemeSwitch />
      </header>
      <main id="main">
        {link.is === 'lost' && (
          <div className="connection" role="status">
            <Icon name="offline" />
            <span>{link.why}. What you see may be old; it goes on by itself.</span>
            <button type="button" className="button plain" onClick={() => source.ask()}>
              Try now
            </button>
          </div>
        )}
        <div className="home">
          <div className="page-head">
            <h1>All projects</h1>
            {list && (
              <span className="muted" role="status">
                {waiting === 0 ? 'Nothing waits for you' : `${waitsText(waiting)} for you`}
              </span>
            )}
          </div>
          {list === undefined ? (
            <p className="empty muted">Connecting…</p>
          ) : (
            <List list={list} token={source.token} />
          )}
        </div>
      </main>
      <Toasts />
    </div>
  );
}

function List({ list, token }: { readonly list: SentProjects; readonly token: string | undefined }) {
  return (
    <>
      {list.problem !== undefined && (
        <Notice tone="wait" icon="warning">
          <AgentLine text={list.problem} />
        </Notice>
      )}
      <ul className="cards">
        {list.projects.map((project) => (
          <li key={project.path}>
            <ProjectCard project={project} token={token} />
          </li>
        ))}
      </ul>
    </>
  );
}
