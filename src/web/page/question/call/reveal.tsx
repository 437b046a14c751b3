import { useState, type ReactNode } from 'react';
import type { Revealed, SentQuestion } from '../../../api/question.ts';
import { ApiError } from '../../connection/api.ts';
import { useSession } from '../../context.ts';

/** What of a call was hidden. */
export type Revealing = {
  /** All of it, once somebody wanted to see it, until the call has become another one. */
  readonly whole: Revealed | undefined;
  /** Shows it, or says why it cannot be shown, where one may. */
  readonly reveal: ReactNode;
};

/** What was answered when somebody wanted to see it. */
type Answered = {
  /** `seen` of the call that it is of. */
  readonly of: string | undefined;
  readonly revealed: Revealed;
};

/** Has what is hidden of a call shown when somebody wants to see it. */
export function useRevealed({ id, seen }: Pick<SentQuestion, 'id' | 'seen'>, mayReveal?: boolean): Revealing {
  const { api } = useSession();
  const [answered, setAnswered] = useState<Answered>();
  const [problem, setProblem] = useState<string>();
  const reveal = async () => {
    setProblem(undefined);
    try {
      const revealed = await api.reveal(id);
      if (revealed.args !== undefined) setAnswered({ of: revealed.seen, revealed });
      else setProblem('No process has the whole call any more.');
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setProblem(error.message);
    }
  };
  const isOfOthers = answered && seen !== undefined && answered.of !== seen;
  return {
    whole: answered?.of === seen ? answered?.revealed : undefined,
    reveal: mayReveal && (
      <>
        <button type="button" className="button" onClick={() => void reveal()}>
          Show what is hidden
        </button>
        <p className="muted">{problem ?? (isOfOthers && 'Its files have changed: ask again.')}</p>
      </>
    ),
  };
}
