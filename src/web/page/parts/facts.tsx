import type { RefObject } from 'react';
import type { TaskFact } from '../../../views/sprints/task-facts.ts';
import { AgentLine } from './agent-text.tsx';

type FactsProps = {
  readonly facts: readonly TaskFact[];
  readonly ref?: RefObject<HTMLDListElement | null> | undefined;
};

/** What there is to say of something, each below or beside its name. */
export function Facts({ facts, ref }: FactsProps) {
  return (
    <dl ref={ref} className="facts">
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
