import { useState } from 'react';
import { inOneLine } from '../../../../errors.ts';
import type { Revealed, SentQuestion } from '../../../api/question.ts';
import { ApiError } from '../../connection/api.ts';
import { useSession } from '../../context.ts';

/** What is hidden of a call, once somebody wanted to see it, until the call has become another one; a text where it cannot be shown. */
export function useRevealed({
  id,
  seen,
}: Pick<SentQuestion, 'id' | 'seen'>): readonly [Revealed | string | undefined, () => void] {
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
  return [shown?.of === seen ? shown?.revealed : undefined, () => void reveal()];
}

type RevealButtonProps = { readonly revealed: Revealed | string | undefined; readonly onReveal: () => void };

/** Shows what is hidden. */
export function RevealButton({ revealed, onReveal }: RevealButtonProps) {
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
