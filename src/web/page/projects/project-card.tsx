import type { SentProjectRow } from '../../api/projects.ts';
import { waitsText } from '../../../views/requests/waits-text.ts';
import { count } from '../../../lib/text/count.ts';
import { AgentLine } from '../parts/agent-text.tsx';
import { Ago } from '../parts/ago.tsx';
import { Icon } from '../parts/icon.tsx';
import { ProgressBar } from '../parts/progress-bar.tsx';
import { RiskBadge } from '../question/risk-badge.tsx';

type ProjectCardProps = {
  readonly project: SentProjectRow;
  /** Goes along, behind the `#`: another tab knows of none. */
  readonly token: string | undefined;
};

/** A project in the list of all, and the way to its page; of one that cannot be looked at, why. */
export function ProjectCard({ project, token }: ProjectCardProps) {
  const { name, path, whyNot, isOpening, sprints, standing, tasks, lastEventAt, waiting, first } = project;
  const head = (
    <span className="card-head">
      <span className="card-name">
        <AgentLine text={name} />
      </span>
      {waiting > 0 && <span className="count number tone-wait">{waitsText(waiting)}</span>}
    </span>
  );
  if (whyNot !== undefined)
    return (
      <div className="card project-card is-closed">
        {head}
        <span className={`project-why ${isOpening ? 'muted' : 'tone-wait'}`}>
          {!isOpening && <Icon name="warning" />}
          <span>
            <AgentLine text={whyNot} />
          </span>
        </span>
      </div>
    );
  return (
    <a className="card project-card" href={`./${path}${token === undefined ? '' : `#t=${token}`}`}>
      {head}
      {first && (
        <span className="project-first">
          <span className={first.kind === 'approval' ? 'inbox-title is-code' : 'inbox-title'}>
            <AgentLine text={first.title} />
          </span>
          <span className="inbox-about">
            <RiskBadge of={first} />
            <Ago since={first.askedAt} />
          </span>
        </span>
      )}
      {tasks && tasks.total > 0 && <ProgressBar {...tasks} otherwise={tasks.setAside} />}
      <span className="card-foot number">
        {tasks && tasks.total > 0 && (
          <span>
            {tasks.done} of {count(tasks.total, 'task')} done
          </span>
        )}
        {tasks && tasks.failed > 0 && <span className="tone-bad">{tasks.failed} failed</span>}
        {lastEventAt !== undefined && (
          <span className="project-last">
            <span className="unseen">last event </span>
            <Ago since={lastEventAt} /> ago
          </span>
        )}
        <span className="project-standing">{sprints === 0 ? 'no sprints' : standing}</span>
      </span>
    </a>
  );
}
