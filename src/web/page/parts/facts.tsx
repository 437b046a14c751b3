import type { TaskFact } from '../../../views/sprints/task-facts.ts';
import { AgentLine } from './agent-text.tsx';

/** What there is to say of something, each below or beside its name. */
export function Facts({ facts }: { readonly facts: readonly TaskFact[] }) {
  return (
    <dl className="facts">
      {facts.map(({ label, text }, at) => (
        <div key={`${label} ${at}`}>
          <dt>{label}</dt>
          <dd>
            <AgentLine text={text} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
