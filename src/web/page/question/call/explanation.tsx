import type { SentCall } from '../../../api/question.ts';
import { AgentText } from '../../parts/agent-text.tsx';

/** What a human had asked about a call, and what its agent has said since. */
export function Explanation({ question, words }: NonNullable<SentCall['explanation']>) {
  return (
    <section className="said">
      <p className="label">You asked</p>
      <AgentText text={question} />
      <p className="label">The agent says</p>
      {words === '' ? <em>nothing since</em> : <AgentText text={words} />}
    </section>
  );
}
