import { useEffect, useState } from 'react';
import type { SentQuestion } from '../../api/question.ts';
import { looksSecret } from '../../../events/secrets/looks-secret.ts';
import { emptyDraft, loadDraft, saveDraft, withoutWords, type Draft } from './draft.ts';

/** So long after the last change it is kept. */
const PAUSE_MS = 150;

/** What of a draft is kept: of a question about a secret no words. */
type KeptOfDraft = 'nothing' | 'choices' | 'all';

/**
 * The draft of a request, kept in the browser but for words that look like a secret. One that is closed when it is opened has none:
 * what was written to it may be what was sent.
 */
export function useDraft(
  { id, closing }: Pick<SentQuestion, 'id' | 'closing'>,
  keptWhileOpen: KeptOfDraft,
): readonly [Draft, (draft: Draft) => void] {
  const [wasOpen] = useState(closing === undefined);
  const kept = wasOpen ? keptWhileOpen : 'nothing';
  const [draft, setDraft] = useState(() => (kept === 'nothing' ? emptyDraft : loadDraft(id)));
  useEffect(() => {
    // One of before may have been kept.
    if (kept === 'nothing') return saveDraft(id, emptyDraft);
    const isLeftOut = kept === 'all' ? looksSecret : () => true;
    const save = () => saveDraft(id, withoutWords(draft, isLeftOut));
    const timer = setTimeout(save, PAUSE_MS);
    // A page that is hidden may never be shown again.
    addEventListener('pagehide', save);
    return () => {
      clearTimeout(timer);
      removeEventListener('pagehide', save);
      save();
    };
  }, [id, draft, kept]);
  return [draft, setDraft];
}
