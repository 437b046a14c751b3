import type { SentSprintRow } from '../../api/state.ts';
import { runTexts } from '../../../views/sprints/run-text.ts';
import { costText } from '../../../views/sprints/usage-text.ts';
import { waitsText } from '../../../views/requests/waits-text.ts';
import { AgentLine } from '../parts/agent-text.tsx';
import { ProgressBar } from '../parts/progress-bar.tsx';
import { StateBadge } from '../parts/state-sign.tsx';
import { useWhom } from '../parts/use-whom.ts';
import { hrefOf } from '../route.ts';

/** A sprint in the list of all. */
export function SprintCard({ row }: { readonly row: SentSprintRow }) {
  const { id, name, word, done, total, failed, setAside, cancelled, blocked, waiting, runs, usage } = row;
  const skipped = setAside - cancelled;
  const [who] = runTexts(runs, useWhom());
  const cost = costText(usage);
  return (
    <a className="card sprint-card" href={hrefOf({ sprint: id })}>
      <span className="card-head">
        <span className="card-name">
          <AgentLine text={name} />
        </span>
        <StateBadge word={word} />
      </span>
      <ProgressBar otherwise={setAside} {...{ total, done, failed, blocked }} />
      <span className="card-foot number">
        <span>
          {done} of {total} done
        </span>
        {failed > 0 && <span className="tone-bad">{failed} failed</span>}
        {skipped > 0 && <span>{skipped} skipped</span>}
        {cancelled > 0 && <span>{cancelled} cancelled</span>}
        {waiting > 0 && <span className="tone-wait">{waitsText(waiting)}</span>}
        {/* That it is over its badge says. */}
        {runs.is !== 'over' && who !== '' && <span>{who}</span>}
        {cost !== '' && <span>{cost}</span>}
      </span>
    </a>
  );
}
