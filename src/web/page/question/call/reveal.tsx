import { useState, type ReactNode } from 'react';
import type { Revealed, SentQuestion } from '../../../api/question.ts';
import { ApiError, readProblem } from '../../connection/api-error.ts';
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
  const [isAsking, setAsking] = useState(false);
  const [answered, setAnswered] = useState<Answered>();
  const [problem, setProblem] = useState<{ readonly of: string | undefined; readonly text: string }>();
  const reveal = async () => {
    setAsking(true);
    setProblem(undefined);
    try {
      const revealed = await api.reveal(id);
      if (revealed.args !== undefined) setAnswered({ of: revealed.seen, revealed });
      else setProblem({ of: seen, text: 'No process has the whole call any more.' });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setProblem({ of: seen, text: readProblem(error) });
    } finally {
      setAsking(false);
    }
  };
  const said = problem && problem.of === seen ? problem.text : whyNotYet(answered, seen);
  return {
    whole: answered?.of === seen ? answered?.revealed : undefined,
    reveal: mayReveal && (
      <>
        <button
          type="button"
          className="button"
          aria-disabled={isAsking}
          onClick={() => !isAsking && void reveal()}
        >
          Show what is hidden
        </button>
        <div role="status">{!isAsking && said !== undefined && <p className="muted">{said}</p>}</div>
      </>
    ),
  };
}

/** Why what was answered is not shown. */
function whyNotYet(answered: Answered | undefined, seen: string | undefined): string | undefined {
  if (!answered || answered.of === seen) return undefined;
  return seen === undefined
    ? 'It is shown once its files are compared.'
    : 'Its files have changed: ask again to see what is hidden.';
}
