import { useEffect } from 'react';
import type { SentQuestion } from '../../../api/question.ts';
import { AgentLine } from '../../parts/agent-text.tsx';
import { Notice } from '../../parts/notice.tsx';
import { CallCard } from './call-card.tsx';
import { ComparisonNotice } from './comparison-notice.tsx';
import { FilesChanged } from './files-changed.tsx';
import { RevealButton, useRevealed } from './reveal.tsx';

type OneCallProps = {
  readonly call: SentQuestion;
  readonly place: string;
  /** It waits still. */
  readonly isOpen: boolean;
  readonly mayReveal: boolean;
  readonly mayDecide: boolean;
  readonly onRevealed: () => void;
};

/** One of several calls that are decided on together. */
export function OneCall({ call: question, place, isOpen, mayReveal, mayDecide, onRevealed }: OneCallProps) {
  const { call, asker, task } = question;
  const [revealed, reveal] = useRevealed(question);
  const isRevealed = revealed !== undefined;
  useEffect(() => {
    if (isRevealed) onRevealed();
  }, [isRevealed, onRevealed]);
  if (!call) return null;
  // A rule would be for more than these.
  const { offer: _, ...alone } = question;
  return (
    <section className="alike" aria-label={`Call ${place}`}>
      <h3>
        {place}
        <span className="muted">
          {' '}
          <AgentLine text={asker} />
          {task !== undefined && (
            <>
              {' about '}
              <AgentLine text={task} />
            </>
          )}
        </span>
      </h3>
      {!isOpen && (
        <Notice tone="calm" icon="info">
          Somebody was first with this one: it is left out.
        </Notice>
      )}
      {isOpen && <FilesChanged seen={question.seen} />}
      {isOpen && <ComparisonNotice comparison={question.comparison} mayDecide={mayDecide} />}
      <CallCard
        call={call}
        question={alone}
        revealed={revealed}
        reveal={mayReveal && isOpen && <RevealButton revealed={revealed} onReveal={reveal} />}
      />
    </section>
  );
}
