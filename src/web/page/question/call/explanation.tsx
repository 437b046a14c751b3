import type { SentCall } from '../../../api/question.ts';
import { AgentText } from '../../parts/agent-text.tsx';

type ExplanationProps = NonNullable<SentCall['explanation']> & {
  /** Who has asked. Default: who reads it. */
  readonly by?: string;
};

/** What a human had asked about a call, and what its agent has said since. */
export function Explanation({ question, words, by = 'You' }: ExplanationProps) {
  return (
    <section className="said">
      <p className="label">{by} asked</p>
      <AgentText text={question} />
      <p className="label">The agent says</p>
      {words === '' ? <em>nothing since</em> : <AgentText text={words} />}
    </section>
  );
}
