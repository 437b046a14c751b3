import { useLayoutEffect } from 'react';
import type { SentQuestion } from '../../../api/question.ts';
import { AgentLine } from '../../parts/agent-text.tsx';
import { Notice } from '../../parts/notice.tsx';
import { AskedTask } from '../asked-task.tsx';
import { CallCard } from './call-card.tsx';
import { FileNotices } from './file-notices.tsx';
import { useRevealed } from './reveal.tsx';

type OneCallProps = {
  readonly call: SentQuestion;
  readonly place: string;
  /** It waits still. */
  readonly isOpen: boolean;
  readonly mayReveal: boolean;
  readonly mayDecide: boolean;
  /** What was hidden of it is shown, or it has become another one. */
  readonly onRevealed: (id: string, isRevealed: boolean) => void;
};

/** One of several calls that are decided on together. */
export function OneCall({ call: question, place, isOpen, mayReveal, mayDecide, onRevealed }: OneCallProps) {
  const { id, call, asker, task, seen, comparison } = question;
  const revealing = useRevealed(question, mayReveal && isOpen);
  const isRevealed = revealing.whole !== undefined;
  useLayoutEffect(() => onRevealed(id, isRevealed), [id, isRevealed, onRevealed]);
  if (!call) return null;
  return (
    <section className="alike" aria-label={`Call ${place}`} data-content={id}>
      <h3>
        {place}
        <span className="muted">
          {' '}
          <AgentLine text={asker} />
          {task !== undefined && (
            <>
              {' about '}
              <AskedTask sprint={question.sprint} task={task} />
            </>
          )}
        </span>
      </h3>
      {!isOpen && (
        <Notice tone="calm" icon="info">
          Somebody was first with this one: it is left out.
        </Notice>
      )}
      {isOpen && <FileNotices {...{ seen, comparison, mayDecide }} />}
      <CallCard call={call} question={question} {...revealing} />
    </section>
  );
}
