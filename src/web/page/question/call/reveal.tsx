import { useState, type ReactNode } from 'react';
import { inOneLine } from '../../../../errors.ts';
import type { Revealed, SentQuestion } from '../../../api/question.ts';
import { ApiError } from '../../connection/api.ts';
import { useSession } from '../../context.ts';

/** What of a call was hidden. */
export type Revealing = {
  /** Once somebody wanted to see it, until the call has become another one; a text says why it cannot be shown. */
  readonly revealed: Revealed | string | undefined;
  /** Shows it, where one may. */
  readonly reveal: ReactNode;
};

/** Has what is hidden of a call shown when somebody wants to see it. */
export function useRevealed({ id, seen }: Pick<SentQuestion, 'id' | 'seen'>, mayReveal?: boolean): Revealing {
  const { api } = useSession();
  const [shown, setShown] = useState<{ readonly of: typeof seen; readonly revealed: Revealed | string }>();
  const reveal = async () => {
    try {
      setShown({ of: seen, revealed: await api.reveal(id) });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setShown({ of: seen, revealed: inOneLine(error) });
    }
  };
  const revealed = shown?.of === seen ? shown?.revealed : undefined;
  return {
    revealed,
    reveal: mayReveal && <RevealButton revealed={revealed} onReveal={() => void reveal()} />,
  };
}

type RevealButtonProps = Pick<Revealing, 'revealed'> & { readonly onReveal: () => void };

function RevealButton({ revealed, onReveal }: RevealButtonProps) {
  if (typeof revealed === 'string') return <p className="muted">{revealed}</p>;
  if (revealed && revealed.args === undefined)
    return <p className="muted">No process has the whole call any more.</p>;
  if (revealed) return null;
  return (
    <button type="button" className="button" onClick={onReveal}>
      Show what is hidden
    </button>
  );
}
