import { count } from '../../lib/text/count.ts';
import { calendarDay, clockTime, dayAndTime, zoneText } from '../../lib/time/clock-text.ts';
import { printedWord } from '../../lib/text/shell-word.ts';
import type { ReportedEvent, SprintReport } from '../../views/sprints/sprint-report.ts';
import { toneOfMark } from '../page/events/tone-of-mark.ts';
import { AgentLine } from '../page/parts/agent-text.tsx';
import { Facts } from '../page/parts/facts.tsx';
import { ProgressBar } from '../page/parts/progress-bar.tsx';
import { StateBadge } from '../page/parts/state-sign.tsx';
import { AskedItem } from './asked-item.tsx';
import { TaskBars } from './task-bars.tsx';

/** Who has made a report, when (RFC 3339), and of which project. */
export type MadeBy = { readonly version: string; readonly at: string; readonly project: string };

type ReportProps = { readonly report: SprintReport; readonly madeBy: MadeBy };

/** A sprint as a document, from what it took to what happened in it. */
export function Report({ report, madeBy }: ReportProps) {
  const { id, tasks, asked, askedBefore, commits, facts, happened, happenedLast, between } = report;
  return (
    <main className="report">
      <Head report={report} project={madeBy.project} />
      <section aria-labelledby="took">
        <h2 id="took">What it took</h2>
        <div className="card facts-card">
          <Facts facts={facts} />
        </div>
      </section>
      {tasks.length > 0 && (
        <section aria-labelledby="tasks">
          <h2 id="tasks">Tasks</h2>
          <TaskBars tasks={tasks} />
        </section>
      )}
      {asked.length > 0 && (
        <section aria-labelledby="asked">
          <h2 id="asked">What was asked, and decided</h2>
          <ol className="card">
            {asked.map((request) => (
              <AskedItem key={request.id} request={request} />
            ))}
          </ol>
          {askedBefore > 0 && (
            <p className="report-left muted">
              {`${askedBefore} earlier ones: `}
              <code>clifford questions --all</code>
            </p>
          )}
        </section>
      )}
      {commits.length > 0 && (
        <section aria-labelledby="commits">
          <h2 id="commits">Commits</h2>
          <ol className="card report-commits">
            {commits.map(({ sha, task, title, files }) => (
              <li key={sha}>
                <code>
                  <AgentLine text={sha.slice(0, SHA_LENGTH)} />
                </code>
                {title !== undefined && (
                  <strong>
                    <AgentLine text={title} />
                  </strong>
                )}
                <span className="muted">
                  {task !== undefined && (
                    <>
                      <AgentLine text={task} />
                      {' · '}
                    </>
                  )}
                  {count(files, 'file')}
                </span>
              </li>
            ))}
          </ol>
        </section>
      )}
      {happened.length > 0 && (
        <section aria-labelledby="happened">
          <h2 id="happened">What happened</h2>
          <ol className="card">
            <Days events={happened} />
            {between > 0 && <li className="report-between muted">{`${between} others`}</li>}
            <Days events={happenedLast} />
          </ol>
        </section>
      )}
      <Foot id={id} report={report} madeBy={madeBy} />
    </main>
  );
}

/** So much of a commit's name is its own in any project. */
const SHA_LENGTH = 12;

function Head({
  report: { name, word, from, to, isPast, isOver, events, why, progress, progressText },
  project,
}: Pick<ReportProps, 'report'> & { readonly project: string }) {
  const when = `${dayAndTime(from)} to ${dayAndTime(to)}, ${zoneText(to)}`;
  return (
    <header className="report-head">
      <p className="label">
        <AgentLine text={project} />
      </p>
      <div className="report-title">
        <h1>
          <AgentLine text={name} />
        </h1>
        <StateBadge word={word} isPast={isPast} />
      </div>
      {progress.total > 0 && <ProgressBar {...progress} />}
      <p className="muted number">
        {isPast && <strong>{`As of event ${events}, more has happened since · `}</strong>}
        {!isPast && !isOver && <strong>{'So far · '}</strong>}
        {[progressText, when].filter((text) => text !== '').join(' · ')}
      </p>
      {why !== undefined && (
        <p className="report-why">
          <AgentLine text={why} />
        </p>
      )}
    </header>
  );
}

/** What happened, with each day above what happened on it. */
function Days({ events }: { readonly events: readonly ReportedEvent[] }) {
  return events.flatMap((event, at) => {
    const day = calendarDay(event.time);
    const before = events[at - 1];
    const isNew = !before || calendarDay(before.time) !== day;
    return [
      isNew && (
        <li key={`${event.version} ${day}`} className="report-day number">
          {day}
        </li>
      ),
      <Happened key={event.version} event={event} />,
    ];
  });
}

function Happened({ event: { time, mark, title, task, text } }: { readonly event: ReportedEvent }) {
  return (
    <li className={`report-event tone-${toneOfMark(mark)}`}>
      <time className="number" dateTime={time} title={dayAndTime(time)}>
        {clockTime(time)}
      </time>
      <span className="report-dot" aria-hidden="true" />
      <div>
        <strong>{title}</strong>
        {task !== undefined && (
          <span className="muted">
            {' · '}
            <AgentLine text={task} />
          </span>
        )}
        {text !== '' && (
          <p className="muted">
            <AgentLine text={text} />
          </p>
        )}
      </div>
    </li>
  );
}

function Foot({
  id,
  report: { events, happened, happenedLast },
  madeBy,
}: ReportProps & { readonly id: string }) {
  const sprint = printedWord(id);
  return (
    <footer className="report-foot">
      <p>
        {`Of ${count(events, 'event')} ${happened.length + happenedLast.length} that stand out are here`}
        {'. All of them, and each moment of it: '}
        <code>clifford replay {sprint}</code>
      </p>
      <p>
        Whether the record is whole and unchanged: <code>clifford replay --verify</code>
      </p>
      <p>
        Made by Clifford {madeBy.version} from its log, {dayAndTime(madeBy.at)}
      </p>
    </footer>
  );
}
