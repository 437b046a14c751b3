import type { SentSprint } from '../../api/sprint.ts';
import { printedWord } from '../../../lib/text/shell-word.ts';
import { setAsideText } from '../../../views/requests/set-aside-text.ts';
import { summaryFacts } from '../../../views/sprints/summary-facts.ts';
import type { TaskFact } from '../../../views/sprints/task-facts.ts';
import { useSession } from '../context.ts';
import { Facts } from '../parts/facts.tsx';
import { Icon } from '../parts/icon.tsx';
import { useRead } from '../parts/use-read.ts';
import '../look/sprint-end.css';

/** That a sprint is over, and what it took: what its screen shows at its end. */
export function SprintEnd({ sprint: { id, version, word, setAside } }: { readonly sprint: SentSprint }) {
  const { api } = useSession();
  const { value } = useRead(JSON.stringify([id, version]), () => api.summary(id));
  return (
    <section className="sprint-end" aria-label="How it ended">
      {/* Of one that failed it is said above, with what to do about it. */}
      {word !== 'failed' && (
        <p className={`sprint-over tone-${word === 'done' ? 'good' : 'calm'}`} role="status">
          <Icon name={word === 'done' ? 'check' : 'info'} />
          {word === 'done'
            ? 'The sprint is done'
            : `The sprint was cancelled${setAside ? ` ${setAsideText(setAside)}` : ''}`}
        </p>
      )}
      {value && (
        <Facts
          facts={[
            ...summaryFacts(value),
            ...listed('Decided', value.decided, value.decisions),
            ...listed('Commits', value.committed, value.commits),
            { label: 'Report', text: `clifford report ${printedWord(id)}` },
          ]}
        />
      )}
    </section>
  );
}

/** Lines behind one name, and how many there are before them. */
function listed(label: string, lines: readonly string[], all: number): TaskFact[] {
  const left = all - lines.length;
  return [...(left > 0 ? [`… ${left} earlier, among its events`] : []), ...lines].map((text, at) => ({
    label: at === 0 ? label : '',
    text,
  }));
}
