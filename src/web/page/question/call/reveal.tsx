import { useState, type ReactNode } from 'react';
import { inOneLine } from '../../../../errors.ts';
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

/** What was answered when somebody wanted to see it, or why they cannot. */
type Answered = {
  /** `seen` of the call that it is of. */
  readonly of: string | undefined;
  readonly revealed: Revealed | string;
};

/** Has what is hidden of a call shown when somebody wants to see it. */
export function useRevealed({ id, seen }: Pick<SentQuestion, 'id' | 'seen'>, mayReveal?: boolean): Revealing {
  const { api } = useSession();
  const [isAsking, setAsking] = useState(false);
  const [answered, setAnswered] = useState<Answered>();
  const reveal = async () => {
    setAsking(true);
    try {
      const revealed = await api.reveal(id);
      const isKnown = revealed.args !== undefined;
      if (isKnown) setAnswered({ of: revealed.seen, revealed });
      else setAnswered({ of: seen, revealed: 'No process has the whole call any more.' });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setAnswered({ of: seen, revealed: inOneLine(error) });
    } finally {
      setAsking(false);
    }
  };
  const revealed = answered?.of === seen ? answered?.revealed : undefined;
  return {
    whole: typeof revealed === 'object' ? revealed : undefined,
    reveal:
      mayReveal &&
      (typeof revealed === 'string' ? (
        <p className="muted">{revealed}</p>
      ) : (
        <>
          <button
            type="button"
            className="button"
            aria-disabled={isAsking}
            onClick={() => !isAsking && void reveal()}
          >
            Show what is hidden
          </button>
          {answered && !isAsking && revealed === undefined && (
            <p className="muted" role="status">
              Its files have changed: what is hidden is shown when it is asked for again.
            </p>
          )}
        </>
      )),
  };
}
