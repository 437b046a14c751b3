import { duration } from '../../lib/time/duration.ts';
import type { ReportedTask } from '../../views/sprints/sprint-report.ts';
import { spanScale, type TaskSpan } from '../../views/sprints/task-spans.ts';
import { AgentLine } from '../page/parts/agent-text.tsx';
import { StateSign } from '../page/parts/state-sign.tsx';
import { TaskId } from '../page/parts/task-id.tsx';

const words = { works: 'an agent worked', waits: 'it waited for a human' } as const;

/** The tasks of a sprint: how each stands, and when it was worked on, all along the same line of time. */
export function TaskBars({ tasks }: { readonly tasks: readonly ReportedTask[] }) {
  const all = tasks.flatMap(({ spans }) => spans);
  const { scale, shortened } = spanScale(all);
  const kinds = (['works', 'waits'] as const).filter((kind) => all.some(({ is }) => is === kind));
  return (
    <>
      <ol className="card">
        {tasks.map(({ item, spans, failed }) => (
          <li key={item.id} className="report-task">
            <StateSign word={item.word} />
            <div>
              <strong>
                <bdi>{item.title === '' ? item.id : item.title}</bdi>
                <TaskId id={item.id} title={item.title} />
              </strong>
              <p className="muted number">{aboutTask(item, spans, failed.length > 0).join(' · ')}</p>
            </div>
            <div
              className={spans.length === 0 ? 'bar is-empty' : 'bar'}
              role="img"
              aria-label={spokenSpans(spans, item.time)}
            >
              {shortened.map((at) => (
                <span key={at} className="short" style={{ left: percent(at) }} />
              ))}
              {spans.map(({ is, from, to }) => (
                <span
                  key={from}
                  className={is}
                  title={`${duration(to - from)}: ${words[is]}`}
                  style={{ left: percent(scale(from)), width: percent(scale(to) - scale(from)) }}
                />
              ))}
            </div>
            {failed.map((why) => (
              <p key={why} className="report-why">
                <AgentLine text={why} />
              </p>
            ))}
          </li>
        ))}
      </ol>
      {kinds.length > 0 && (
        <p className="bar-legend">
          {kinds.map((kind) => (
            <span key={kind}>
              <i className="bar" aria-hidden="true">
                <span className={kind} />
              </i>
              {words[kind]}
            </span>
          ))}
          {shortened.length > 0 && (
            <span>
              <i className="bar" aria-hidden="true">
                <span className="short" />
              </i>
              shortened, as no agent worked
            </span>
          )}
        </p>
      )}
    </>
  );
}

function aboutTask(
  { word, attempt, agent, model, cost, notes: [note = ''] }: ReportedTask['item'],
  spans: readonly TaskSpan[],
  isSaidBelow: boolean,
): string[] {
  const took = (kind: TaskSpan['is']) =>
    spans.reduce((sum, { is, from, to }) => sum + (is === kind ? to - from : 0), 0);
  const [worked, waited] = [took('works'), took('waits')];
  const tried = attempt === '' ? '' : `attempt ${attempt}`;
  return [
    word,
    isSaidBelow ? '' : note,
    worked > 0 ? `${duration(worked)} worked` : '',
    waited > 0 ? `${duration(waited)} waited` : '',
    tried,
    agent,
    model,
    cost,
  ].filter((text) => text !== '');
}

function spokenSpans(spans: readonly TaskSpan[], time: string): string {
  if (spans.length === 0) return time === '' ? 'No agent worked on it' : time;
  return spans
    .map(({ is, from, to }) => `${duration(to - from)} ${is === 'works' ? 'worked' : 'waited'}`)
    .join(', ');
}

function percent(share: number): string {
  return `${(100 * share).toFixed(3)}%`;
}
