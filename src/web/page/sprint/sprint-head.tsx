import type { SentSprint } from '../../api/sprint.ts';
import { dayAndTime } from '../../../lib/time/clock-text.ts';
import { countEnded, progressText } from '../../../views/sprints/progress.ts';
import { runTexts } from '../../../views/sprints/run-text.ts';
import { lacksRunner } from '../../../views/sprints/who-runs.ts';
import { usageText } from '../../../views/sprints/usage-text.ts';
import { useStore } from '../connection/store.ts';
import { useSession } from '../context.ts';
import { AgentLine } from '../parts/agent-text.tsx';
import { Icon } from '../parts/icon.tsx';
import { later } from '../parts/later.tsx';
import { Notice } from '../parts/notice.tsx';
import { ProgressBar } from '../parts/progress-bar.tsx';
import { StateBadge } from '../parts/state-sign.tsx';
import { useWhom } from '../parts/use-whom.ts';
import { goTo, routeNow } from '../route.ts';
import { SprintActs } from './acts.tsx';

const SprintEnd = later(async () => (await import('./sprint-end.tsx')).SprintEnd, 'How it ended');

type SprintHeadProps = {
  readonly sprint: SentSprint;
  /** When it is looked at, in ms since the epoch; `undefined`: now. */
  readonly atMs: number | undefined;
  /** One of its tasks is looked at, which has the room. */
  readonly isAtTask: boolean;
};

/** What a sprint is, how far it is, who is at work on it, and what can be done to it. */
export function SprintHead({ sprint, atMs, isAtTask }: SprintHeadProps) {
  const { id, name, word, tasks, runs, version, usage } = sprint;
  const { state } = useSession();
  const mayDecide = useStore(state)?.reader.may === 'decide';
  const whom = useWhom();
  const isOutside = id === 'adhoc';
  const isPast = atMs !== undefined;
  const ended = (how: string) => countEnded(tasks, how);
  // What is said below, with what to do about it, is not said twice.
  const isLeft = !isPast && lacksRunner(runs);
  const blocked = tasks.filter(({ state: is }) => is === 'blocked').length;
  const facts = [
    blocked > 0 ? `${blocked} blocked` : '',
    isLeft ? '' : runTexts(runs, whom)[0],
    usageText(usage),
  ].filter((fact) => fact !== '');
  return (
    <header className="sprint-head">
      <div className="sprint-title">
        <h1>{isOutside ? 'Outside of sprints' : <AgentLine text={name} />}</h1>
        {!isOutside && <StateBadge word={word} isPast={isPast} />}
        <span className="spring" />
        {!isPast && (
          <div className="acts">
            {version > 0 && (
              <button
                type="button"
                className="button to-past"
                onClick={() => goTo({ ...routeNow(), at: version })}
              >
                <Icon name="history" />
                History
              </button>
            )}
            {mayDecide && <SprintActs sprint={sprint} />}
          </div>
        )}
      </div>
      {!isOutside && tasks.length > 0 && (
        <div className="sprint-progress">
          <ProgressBar
            done={ended('completed')}
            total={tasks.length}
            failed={ended('failed')}
            otherwise={ended('skipped') + ended('cancelled')}
            blocked={blocked}
          />
          <p className="muted number">
            {isPast && <strong>As of {dayAndTime(new Date(atMs).toISOString())} · </strong>}
            {[progressText(tasks), ...facts].join(' · ')}
          </p>
        </div>
      )}
      {!isPast && !isAtTask && word === 'failed' && <WhyFailed sprint={sprint} />}
      {!isPast && !isAtTask && isOver(sprint) && <SprintEnd sprint={sprint} />}
    </header>
  );
}

/** Nobody is at work on it any more, and something was. */
function isOver({ state, runs }: SentSprint): boolean {
  return state === 'done' && (runs.is === 'over' || runs.is === 'failed');
}

/** The reason of the first task that failed; of what failed otherwise that of the sprint. */
function WhyFailed({ sprint: { tasks, lastFailure } }: { readonly sprint: SentSprint }) {
  const [first, ...others] = tasks.filter(({ detail }) => detail === 'failed');
  const why = first?.lastFailure ?? lastFailure;
  if (why === undefined) return null;
  return (
    <Notice tone="bad" icon="warning">
      {first?.lastFailure !== undefined && (
        <>
          <strong>
            <AgentLine text={first.title === '' ? first.id : first.title} /> failed
          </strong>
          {others.length > 0 && `, and ${others.length} more`}
          {': '}
        </>
      )}
      <div className="notice-long" role="region" aria-label="Why it failed" tabIndex={0}>
        <AgentLine text={why} />
      </div>
    </Notice>
  );
}
