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

/** Has what is hidden of a call shown when somebody wants to see it. */
export function useRevealed({ id, seen }: Pick<SentQuestion, 'id' | 'seen'>, mayReveal?: boolean): Revealing {
  const { api } = useSession();
  const [shown, setShown] = useState<{ readonly of: typeof seen; readonly revealed: Revealed | string }>();
  const reveal = async () => {
    try {
      const revealed = await api.reveal(id);
      const isKnown = revealed.args !== undefined;
      if (isKnown) setShown({ of: revealed.seen, revealed });
      else setShown({ of: seen, revealed: 'No process has the whole call any more.' });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setShown({ of: seen, revealed: inOneLine(error) });
    }
  };
  const revealed = shown?.of === seen ? shown?.revealed : undefined;
  return {
    whole: typeof revealed === 'object' ? revealed : undefined,
    reveal:
      mayReveal &&
      (typeof revealed === 'string' ? (
        <p className="muted">{revealed}</p>
      ) : (
        <button type="button" className="button" onClick={() => void reveal()}>
          Show what is hidden
        </button>
      )),
  };
}
